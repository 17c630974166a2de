/* Find points on the map, and read a dot by pointer, tap or keyboard. Without scripts the rest of the page is whole. */
"use strict";

const REACH = 24;
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

for (const map of document.querySelectorAll(".map")) {
  const svg = map.querySelector("svg");
  const dots = [...svg.querySelectorAll("use[x]")].map((use) => ({
    use,
    x: Number(use.getAttribute("x")),
    y: Number(use.getAttribute("y")),
    text: use.querySelector("title").textContent,
  }));
  const detail = map.parentElement.querySelector(".detail");
  const find = map.parentElement.querySelector(".find");
  const ring = document.createElementNS(svg.namespaceURI, "circle");
  ring.setAttribute("class", "pick");
  ring.setAttribute("r", "11");
  let shown = dots;
  let picked = null;

  const pick = (dot) => {
    picked = dot;
    if (!dot) {
      ring.remove();
      detail.textContent = "";
      return;
    }
    ring.setAttribute("cx", dot.x);
    ring.setAttribute("cy", dot.y);
    svg.append(ring);
    detail.textContent = dot.text;
  };

  const nearest = (cost) => {
    let best = null;
    let least = Infinity;
    for (const dot of shown) {
      const price = cost(dot);
      if (price < least) [best, least] = [dot, price];
    }
    return best;
  };

  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const scale = svg.viewBox.baseVal.width / box.width;
    const [x, y] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    pick(nearest((dot) => {
      const far = Math.hypot(dot.x - x, dot.y - y);
      return far <= REACH * scale ? far : Infinity;
    }));
  });

  map.addEventListener("keydown", (event) => {
    if (event.key === "Escape") pick(null);
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const from = picked ?? nearest((dot) => (dot.use.classList.contains("given") ? 0 : 1));
    const next = picked && nearest((dot) => {
      const [x, y] = [dot.x - from.x, dot.y - from.y];
      const ahead = x * step[0] + y * step[1];
      const aside = Math.abs(x * step[1] + y * step[0]);
      return dot !== from && ahead > 0 && aside <= 2 * ahead ? ahead + 2 * aside : Infinity;
    });
    pick(next || from);
  });

  find.hidden = false;
  const box = find.querySelector("input");
  box.addEventListener("input", () => {
    const wanted = box.value.trim().toLowerCase();
    shown = dots.filter((dot) => dot.text.toLowerCase().includes(wanted));
    const kept = new Set(shown);
    for (const dot of dots) dot.use.classList.toggle("off", !kept.has(dot));
    find.querySelector("output").textContent = wanted ? `${shown.length} of ${dots.length} drawn points` : "";
    pick(wanted && shown.length === 1 ? shown[0] : null);
  });
}
