"""The site: `python3 -m sphinx -W -b html docs build/site`, without network, from the extra `docs`."""

import sys
from pathlib import Path

import fewlabels

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_extensions"))

project = "fewlabels"
author = "the fewlabels contributors"
version = release = fewlabels.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
    "mathml",
    "pages",
]
exclude_patterns = ["gallery/**.md5", "gallery/**.py", "gallery/**.ipynb", "gallery/**.json", "gallery/**.zip"]
templates_path = ["_templates"]
suppress_warnings = ["config.cache"]

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3

autodoc_typehints = "none"
autodoc_default_options = {"members": True, "inherited-members": False}
napoleon_google_docstring = False
napoleon_use_ivar = False
napoleon_use_rtype = False

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "within_subsection_order": "FileNameSortKey",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_signature": False,
    "write_computation_times": False,
    "plot_gallery": True,
    "remove_config_comments": True,
}

html_theme = "pydata_sphinx_theme"
html_title = "fewlabels"
html_static_path = ["_static"]
html_css_files = ["site.css"]
toc_object_entries_show_parents = "hide"
html_sidebars = {"start": [], "coming": []}
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "logo": {"text": "fewlabels"},
    "navbar_align": "left",
    "header_links_before_dropdown": 7,
    "navigation_with_keys": False,
    "show_toc_level": 2,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_context = {"default_mode": "auto"}
project_copyright = author
