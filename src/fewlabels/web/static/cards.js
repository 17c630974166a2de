/** Cards as elements: the large one that is being answered, and the small ones that come next. */

import { imageAddress } from "./api.js";
import { colourOf, shapeOf, SHAPES } from "./colours.js";
import { make } from "./dom.js";
import { percent, setName, short, visible } from "./text.js";

/** Pixels left free above and below a card that is scrolled to. */
const EDGE = 6;
const LONGEST_TEXT = 20_000;
/** Images of fewer pixels are drawn as squares, not blurred. */
const SMALL_IMAGE = 64;

/** @param {import("./colours.js").Slots} slots @param {string} name @returns {HTMLElement} a class's colour and shape */
export function markOf(slots, name) {
  const slot = slots.of(name);
  const mark = make("span", slot < 0 ? "mark" : `mark ${SHAPES[shapeOf(slot)]}`);
  if (slot >= 0) mark.style.backgroundColor = colourOf(slot);
  mark.ariaHidden = "true";
  return mark;
}

/** @param {import("./types.js").Card} card */
export function imageOf(card) {
  const image = make("img");
  image.alt = `Image of ${short(card.id, 60)}`;
  image.decoding = "sync";
  image.draggable = false;
  image.addEventListener("load", () => image.classList.toggle("pixels", image.naturalWidth < SMALL_IMAGE));
  image.addEventListener("error", () => image.replaceWith(make("span", "missing", "no image")));
  image.src = imageAddress(card.node);
  return image;
}

/** @param {[string, string][]} columns @param {number} most */
function table(columns, most) {
  const list = make("dl", "columns");
  for (const [name, value] of columns.slice(0, most)) {
    list.append(setName(make("dt"), name, 40), setName(make("dd"), value, 200));
  }
  if (columns.length > most) list.append(make("dt", "", "…"), make("dd", "", `${columns.length - most} more`));
  return list;
}

/** What the point is: image, text, columns, whichever there are. @param {import("./types.js").Card} card @param {boolean} large @returns {HTMLElement[]} */
export function content(card, large) {
  const parts = [];
  if (card.image) parts.push(imageOf(card));
  if (card.text !== null) {
    const cut = large ? LONGEST_TEXT : 160;
    const text = make("p", "text", large ? visible(card.text.slice(0, cut)) : short(card.text, cut));
    text.dir = "auto";
    if (large) text.tabIndex = 0;
    parts.push(text);
  }
  if (card.columns && (large || !parts.length)) parts.push(table(card.columns, large ? 60 : 3));
  return parts;
}

/** @param {import("./colours.js").Slots} slots @param {string} what @param {string} name @param {number | null} confidence */
function said(slots, what, name, confidence) {
  const line = make("span", "said", make("span", "what", what), markOf(slots, name), setName(make("bdi"), name, 40));
  if (confidence !== null) line.append(make("span", "number", percent(confidence)));
  return line;
}

/** What is known of its label. @param {import("./colours.js").Slots} slots @param {import("./types.js").Card} card @param {string | null} given */
export function verdict(slots, card, given) {
  const box = make("span", "verdict");
  if (given !== null) box.append(said(slots, "given", given, null));
  if (given !== null && card.instead !== null) box.append(said(slots, "the rest says", card.instead, null));
  if (given === null && card.guess !== null) box.append(said(slots, "guess", card.guess, card.confidence));
  if (given === null && card.guess === null) box.append(make("span", "what", "no guess yet"));
  return box;
}

/** A verdict as a sentence, to be read out. @param {import("./types.js").Card} card @param {string | null} given */
export function spoken(card, given) {
  const about = short(card.id, 60);
  if (given !== null && card.instead !== null) return `${about}, given ${short(given, 40)}, the rest says ${short(card.instead, 40)}`;
  if (given !== null) return `${about}, given ${short(given, 40)}`;
  if (card.guess === null) return `${about}, no guess yet`;
  return `${about}, guess ${short(card.guess, 40)}, ${percent(card.confidence ?? 0)}`;
}

/** The list of small cards; an element stays as long as its point is in the list. */
export class CardList {
  /** @type {Map<number, {element: HTMLLIElement, drawn: string}>} */
  #drawn = new Map();

  /**
   * @param {HTMLElement} list
   * @param {import("./colours.js").Slots} slots
   * @param {(node: number) => void} chosen
   */
  constructor(list, slots, chosen) {
    this.list = list;
    this.slots = slots;
    list.addEventListener("click", (event) => {
      const item = /** @type {Element} */ (event.target).closest("li");
      if (item) chosen(Number(item.dataset.node));
    });
  }

  /** @param {import("./types.js").Card[]} cards @param {number} index @param {Map<number, string>} given */
  draw(cards, index, given) {
    const kept = new Map();
    const elements = cards.map((card, place) => {
      const label = given.get(card.node) ?? null;
      const drawn = JSON.stringify([card.guess, card.confidence, card.instead, label, card.guess && this.slots.of(card.guess)]);
      let held = this.#drawn.get(card.node);
      if (!held) held = { element: this.#make(card), drawn: "" };
      if (held.drawn !== drawn) held.element.lastElementChild?.replaceWith(verdict(this.slots, card, label));
      held.element.ariaLabel = spoken(card, label);
      held.element.ariaSelected = String(place === index);
      kept.set(card.node, { element: held.element, drawn });
      return held.element;
    });
    this.#drawn = kept;
    const same = elements.length === this.list.children.length && elements.every((element, k) => this.list.children[k] === element);
    if (!same) this.list.replaceChildren(...elements);
    const current = elements[index];
    if (current) this.list.setAttribute("aria-activedescendant", current.id);
    else this.list.removeAttribute("aria-activedescendant");
    if (current) this.#reveal(current);
  }

  /** Scroll the list alone: the page around it stays still. @param {HTMLElement} item */
  #reveal(item) {
    const { list } = this;
    const top = item.offsetTop - list.offsetTop;
    if (top < list.scrollTop) list.scrollTop = top - EDGE;
    else if (top + item.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + item.offsetHeight - list.clientHeight + EDGE;
  }

  /** A new ground: every mark is drawn again. */
  forget() {
    this.#drawn.clear();
  }

  /** @param {import("./types.js").Card} card */
  #make(card) {
    const item = make("li", "card", setName(make("span", "id"), card.id, 40), ...content(card, false), make("span", "verdict"));
    item.id = `card-${card.node}`;
    item.dataset.node = String(card.node);
    item.role = "option";
    return item;
  }
}
