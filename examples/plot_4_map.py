"""
Regression on a map: temperature across a ridge
===============================================

Forty stations tell the temperature of a whole country. A mountain ridge divides it, warm on one side and cold on the
other. Numbers spread like labels do, and height is one of the features, so that the ridge is far from either side.
"""

import matplotlib.pyplot as plt
import numpy as np

from fewlabels import FewLabelRegressor, InterfaceLaplace

rng = np.random.default_rng(0)
side = 60
x, y = (each.ravel() for each in np.meshgrid(np.linspace(0, 1, side), np.linspace(0, 1, side)))
across = x - 0.5 - 0.18 * np.sin(5 * y)
height = np.exp(-((across / 0.06) ** 2))
truth = np.where(across < 0, 14, 24) + 4 * np.cos(3 * y) - 8 * height

stations = rng.choice(x.size, 40, replace=False)
known = np.full(x.size, np.nan)  # NaN: no station here
known[stations] = truth[stations] + 0.3 * rng.normal(size=40)

# %%
# The graph connects places that are near each other and of like height. Laplace learning suits quantities that vary
# smoothly; Interface Laplace learning may jump.

X = np.column_stack([x, y, 0.3 * height])
methods = {"Laplace": "laplace", "Interface Laplace": InterfaceLaplace(hops=3, target_mse=0.02)}
estimates = {
    name: FewLabelRegressor(method, n_neighbors=8).fit(X, known).transduction_ for name, method in methods.items()
}

# %%
# The mean over the stations is what one would say without a map.

figure, axes = plt.subplots(1, 3, figsize=(11, 3.8), sharey=True)
plain = np.full_like(truth, known[stations].mean())
for axis, (name, values) in zip(axes, {"truth": truth, **estimates}.items(), strict=True):
    error = np.abs(values - truth).mean()
    picture = axis.imshow(
        values.reshape(side, side), origin="lower", extent=(0, 1, 0, 1), cmap="RdYlBu_r", vmin=4, vmax=28
    )
    axis.scatter(x[stations], y[stations], c="black", s=9)
    axis.set_title("truth, and stations" if name == "truth" else f"{name}, {error:.1f} off", fontsize=10)
figure.colorbar(picture, ax=axes, label="degrees", shrink=0.8)
print(f"the mean alone: {np.abs(plain - truth).mean():.1f} degrees off")
