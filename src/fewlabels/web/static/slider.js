/** How many points are above a confidence, and what share of them is expected to be right. */

import { fetchConfidence } from "./api.js";
import { counted, percent } from "./text.js";

export class ConfidenceSlider {
  /** @type {[number, number, number | null][]} */
  #above = [];

  /** @param {HTMLInputElement} slider @param {HTMLOutputElement} output @param {(least: number) => void} moved */
  constructor(slider, output, moved) {
    this.slider = slider;
    this.output = output;
    slider.addEventListener("input", () => {
      this.#say();
      moved(Number(slider.value) / 100);
    });
  }

  async refresh() {
    this.#above = (await fetchConfidence()).above;
    this.#say();
  }

  #say() {
    const least = Number(this.slider.value);
    const all = this.#above[0]?.[1] ?? 0;
    const row = this.#above[Math.min(least, this.#above.length - 1)];
    if (!row || !all) {
      this.output.textContent = "No point has a guess yet.";
    } else {
      const [, number, share] = row;
      const right = number && share !== null ? `, about ${percent(share)} of them right` : "";
      const where = least ? `At ${least}% or surer: ` : "At any confidence: ";
      this.output.textContent = `${where}${number.toLocaleString("en")} of ${counted(all, "guess", "guesses")}${right}`;
    }
    this.slider.setAttribute("aria-valuetext", this.output.textContent ?? "");
  }
}
