/** The small window beside the pointer: what the point is, and what is said of it. */

import { fetchPoint } from "./api.js";
import { content, verdict } from "./cards.js";
import { make } from "./dom.js";
import { setName } from "./text.js";

const PAUSE = 40;
const GAP = 16;

export class Tip {
  #node = -1;
  #timer = 0;

  /**
   * @param {HTMLElement} box @param {import("./store.js").Store} store
   * @param {import("./colours.js").Slots} slots @param {() => boolean} blind  true while guesses must not be seen
   */
  constructor(box, store, slots, blind) {
    this.box = box;
    this.store = store;
    this.slots = slots;
    this.blind = blind;
  }

  /** @param {number} node @param {number} x @param {number} y */
  show(node, x, y) {
    if (node < 0) {
      this.#node = -1;
      clearTimeout(this.#timer);
      this.box.hidden = true;
      return;
    }
    if (node !== this.#node) {
      this.#node = node;
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => void this.#fill(node, x, y), PAUSE);
    } else {
      this.#put(x, y);
    }
  }

  /** @param {number} node @param {number} x @param {number} y */
  async #fill(node, x, y) {
    const card = this.store.card(await fetchPoint(node));
    if (node !== this.#node) return;
    const parts = [setName(make("span", "id"), card.id, 60), ...content(card, false)];
    if (!this.blind()) parts.push(verdict(this.slots, card, this.store.given.get(node) ?? null));
    this.box.replaceChildren(...parts);
    this.box.hidden = false;
    this.#put(x, y);
    // an image has its size only when it is there
    this.box.querySelector("img")?.addEventListener("load", () => this.#put(x, y));
  }

  /** @param {number} x @param {number} y */
  #put(x, y) {
    const frame = /** @type {HTMLElement} */ (this.box.parentElement);
    const { offsetWidth, offsetHeight } = this.box;
    const left = x + GAP + offsetWidth > frame.clientWidth ? x - GAP - offsetWidth : x + GAP;
    const top = y + GAP + offsetHeight > frame.clientHeight ? y - GAP - offsetHeight : y + GAP;
    this.box.style.left = `${Math.max(0, left)}px`;
    this.box.style.top = `${Math.max(0, top)}px`;
  }
}
