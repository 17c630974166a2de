/** The bar of views and what belongs to each: which class, in which order, search. */

import { byId, make } from "./dom.js";
import { setName } from "./text.js";

const SEARCH_PAUSE = 180;

/** What an empty view says. */
export const EMPTY = {
  next: "Nothing left to ask.",
  unsure: "No guess to be unsure of yet.",
  slips: "No given label contradicts its neighbourhood.",
  class: "This class has no points yet.",
  search: "Nothing found.",
  selected: "No point is selected.",
  check: "Every point is checked or labelled.",
};

/**
 * @typedef {object} Wanted
 * @property {(view: import("./types.js").View, byPointer: boolean) => void} view
 * @property {(name: string, reverse: boolean) => void} ofClass
 * @property {(text: string) => void} search
 */

export class Views {
  #names = "";
  #timer = 0;

  /** @param {Wanted} wanted */
  constructor(wanted) {
    this.buttons = /** @type {HTMLButtonElement[]} */ ([...byId("views", HTMLElement).querySelectorAll("button")]);
    this.which = byId("which-class", HTMLSelectElement);
    this.order = byId("order", HTMLSelectElement);
    this.options = byId("class-options", HTMLElement);
    this.search = byId("search", HTMLInputElement);
    for (const button of this.buttons) {
      button.addEventListener("click", (event) => wanted.view(/** @type {import("./types.js").View} */ (button.value), event.detail > 0));
    }
    const chosen = () => wanted.ofClass(this.which.value, this.order.value === "unsure");
    this.which.addEventListener("change", chosen);
    this.order.addEventListener("change", chosen);
    this.search.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => wanted.search(this.search.value.trim()), SEARCH_PAUSE);
    });
    this.search.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      clearTimeout(this.#timer);
      wanted.search(this.search.value.trim());
      byId("deck", HTMLElement).focus();
    });
  }

  /** @param {import("./types.js").View} view @param {string | null} className @param {string[]} names */
  draw(view, className, names) {
    for (const button of this.buttons) button.ariaPressed = String(button.value === view);
    this.options.hidden = view !== "class";
    const drawn = JSON.stringify(names);
    if (drawn !== this.#names) {
      this.#names = drawn;
      this.which.replaceChildren(
        ...names.map((name) => {
          const option = setName(make("option"), name, 48);
          option.value = name;
          return option;
        }),
      );
    }
    if (className !== null) this.which.value = className;
  }
}
