/** The classes: a button each with its key, and one field that finds a class or makes a new one. */

import { make } from "./dom.js";
import { markOf } from "./cards.js";
import { counted, setName } from "./text.js";

/**
 * @typedef {object} Choices  what can be done here
 * @property {(name: string, byPointer: boolean) => void} give
 * @property {(name: string) => void} edit
 */

export class ClassList {
  /** @type {{name: string, given: number, total: number}[]} */
  #rows = [];
  #drawn = "";

  /**
   * @param {HTMLElement} list @param {HTMLInputElement} field @param {HTMLElement} hint
   * @param {import("./colours.js").Slots} slots @param {Choices} choices
   */
  constructor(list, field, hint, slots, choices) {
    this.list = list;
    this.field = field;
    this.hint = hint;
    this.slots = slots;
    this.choices = choices;
    field.addEventListener("input", () => this.#filter());
    field.addEventListener("keydown", (event) => this.#typed(event));
    list.addEventListener("keydown", (event) => this.#moved(event));
  }

  /** @param {{name: string, given: number, total: number}[]} rows */
  draw(rows) {
    this.#rows = rows;
    const drawn = JSON.stringify(rows.map(({ name }) => [name, this.slots.of(name)]));
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      const held = this.#focused();
      this.list.replaceChildren(...rows.map(({ name }) => this.#row(name)));
      if (held) this.#focus(held);
    }
    this.#items().forEach((item, k) => {
      const { given, total } = rows[k];
      const counts = /** @type {HTMLElement} */ (item.querySelector(".count"));
      counts.textContent = total.toLocaleString("en");
      counts.title = `${given.toLocaleString("en")} given, ${total.toLocaleString("en")} in all`;
      const give = /** @type {HTMLElement} */ (item.querySelector(".give"));
      give.ariaLabel = `${give.querySelector("bdi")?.textContent}, ${counted(total, "point")}, ${given.toLocaleString("en")} given`;
    });
    this.#filter();
  }

  /** The class whose button has the focus, its place, and which of the two buttons it is. */
  #focused() {
    const button = this.list.contains(document.activeElement) ? document.activeElement : null;
    const item = button?.closest("li");
    return button && item ? { name: item.dataset.name, place: this.#items().indexOf(item), kind: button.className } : null;
  }

  /** Where the class is gone or renamed, the one in its place takes the focus. @param {{name?: string, place: number, kind: string}} held */
  #focus({ name, place, kind }) {
    const items = this.#items();
    const item = items.find((each) => each.dataset.name === name) ?? items[Math.min(place, items.length - 1)];
    /** @type {HTMLElement | null | undefined} */ (item?.querySelector(`.${kind}`))?.focus();
  }

  /** A new ground: every mark is drawn again. */
  forget() {
    this.#drawn = "";
    this.draw(this.#rows);
  }

  /** @returns {HTMLLIElement[]} */
  #items() {
    return /** @type {HTMLLIElement[]} */ ([...this.list.children]);
  }

  /** @param {string} name */
  #row(name) {
    const key = this.slots.key(name);
    const badge = make("kbd", "", key.toUpperCase());
    const give = make("button", "give", badge, markOf(this.slots, name), setName(make("bdi"), name, 48), make("span", "count"));
    give.type = "button";
    if (key) give.setAttribute("aria-keyshortcuts", key);
    else badge.hidden = true;
    give.addEventListener("click", (event) => this.choices.give(name, event.detail > 0));
    const edit = make("button", "edit", "⋯");
    edit.type = "button";
    edit.ariaLabel = `Rename, merge or show ${give.querySelector("bdi")?.textContent}`;
    edit.addEventListener("click", () => this.choices.edit(name));
    const item = make("li", "", give, edit);
    item.dataset.name = name;
    return item;
  }

  #filter() {
    const typed = this.field.value.trim().toLowerCase();
    for (const item of this.#items()) item.hidden = typed !== "" && !(item.dataset.name ?? "").toLowerCase().includes(typed);
    const exact = this.#exact();
    this.hint.textContent = !typed ? "" : exact !== null ? "Enter gives this class" : "Enter makes this class and gives it";
  }

  /** @returns {string | null} */
  #exact() {
    const typed = this.field.value.trim();
    return this.#rows.find(({ name }) => name === typed)?.name ?? null;
  }

  /** @param {KeyboardEvent} event */
  #typed(event) {
    if (event.key === "Enter") {
      const name = this.field.value.trim();
      event.preventDefault();
      if (!name) return;
      this.field.value = "";
      this.#filter();
      this.choices.give(name, true);
    } else if (event.key === "Escape") {
      this.field.value = "";
      this.#filter();
    } else if (event.key === "ArrowDown") {
      event.preventDefault();
      this.#visible()[0]?.querySelector("button")?.focus();
    }
  }

  #visible() {
    return this.#items().filter((item) => !item.hidden);
  }

  /** Up and down go through the classes. @param {KeyboardEvent} event */
  #moved(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[/** @type {keyof typeof steps} */ (event.key)];
    const item = /** @type {Element} */ (event.target).closest("li");
    if (!step || !item) return;
    event.preventDefault();
    event.stopPropagation();
    const shown = this.#visible();
    const place = shown.indexOf(item) + step;
    if (place < 0) this.field.focus();
    else shown[Math.min(place, shown.length - 1)].querySelector("button")?.focus();
  }
}
