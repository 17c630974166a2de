/** A checking round: points drawn at random, labelled without seeing the guess, give an honest accuracy. */

import { fetchCheck } from "./api.js";
import { counted, percent } from "./text.js";

export class Checking extends EventTarget {
  active = false;
  /** @type {import("./types.js").Card | null} */
  card = null;
  /** @type {import("./types.js").Checking | null} */
  told = null;
  #waiting = false;

  /** @param {import("./store.js").Store} store */
  constructor(store) {
    super();
    this.store = store;
    store.outbox.addEventListener("sent", (event) => {
      const { entry } = /** @type {CustomEvent} */ (event).detail;
      if (this.active && ["check", "undo"].includes(entry.action.kind)) void this.refresh();
    });
    store.outbox.addEventListener("refused", () => void (this.active && this.refresh()));
  }

  /** @param {boolean} active */
  async turn(active) {
    this.active = active;
    this.card = null;
    this.told = null;
    if (active) await this.refresh();
  }

  async refresh() {
    const told = await fetchCheck();
    this.#waiting = false;
    this.told = told;
    this.card = told.card && this.store.card(told.card);
    this.dispatchEvent(new CustomEvent("change"));
  }

  /** @param {string} label @returns {boolean} false while the next card is on its way */
  answer(label) {
    if (!this.card || this.#waiting) return false;
    this.#waiting = true;
    this.store.act({ kind: "check", node: this.card.node, label });
    return true;
  }

  get summary() {
    if (!this.told) return "";
    const { checked, right, accuracy, interval } = this.told;
    if (!checked) return "Nothing checked yet. Twenty points or more give a first idea.";
    if (accuracy === null) return `${counted(checked, "point")} checked; how many are right is told when there is an answer.`;
    const between = interval ? `, between ${percent(interval[0])} and ${percent(interval[1])} with 95% certainty` : "";
    return `${counted(checked, "point")} checked, ${right.toLocaleString("en")} right: accuracy ${percent(accuracy)}${between}.`;
  }
}
