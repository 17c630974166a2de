/** The large card: the point that is being answered, or the selection. */

import { content, markOf, spoken, verdict } from "./cards.js";
import { byId, make } from "./dom.js";
import { counted, setName } from "./text.js";

const MOST_KINDS = 8;
/** Milliseconds for which a guess counts as new: nobody accepts what they have not read. */
const UNREAD = 300;

export class Focus {
  #drawn = "";
  /** @type {string | null} */
  #guess = null;
  #changed = -UNREAD;
  /** Contents of the cards that come next, made beforehand so that their images are there. @type {Map<number, HTMLElement[]>} */
  #ready = new Map();

  /** @param {import("./colours.js").Slots} slots */
  constructor(slots) {
    this.slots = slots;
    this.box = byId("focus", HTMLElement);
    this.body = byId("focus-body", HTMLElement);
    this.about = byId("focus-about", HTMLElement);
  }

  /** Whether the guess became another one under the reader's eyes, just now. */
  get unread() {
    return performance.now() - this.#changed < UNREAD;
  }

  /** A new ground: every mark is drawn again. */
  forget() {
    this.#drawn = "";
  }

  /** @param {import("./types.js").Card} card @param {string | null} given @param {boolean} blind  guesses must not be seen */
  card(card, given, blind) {
    const drawn = JSON.stringify([card, given, blind, card.guess && this.slots.of(card.guess), given && this.slots.of(given)]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const same = this.box.dataset.node === String(card.node);
    if (same && card.guess !== this.#guess) this.#changed = performance.now();
    if (!same) this.#changed = -UNREAD;
    this.#guess = card.guess;
    if (!same) {
      this.body.replaceChildren(...(this.#ready.get(card.node) ?? content(card, true)));
      this.body.scrollTop = 0;
    }
    const about = [setName(make("span", "id"), card.id, 80)];
    if (blind) about.push(make("span", "what", "Which class is this? The guess is not shown."));
    else about.push(verdict(this.slots, card, given));
    if (!blind && given === null && card.guess !== null) about.push(meter(card.confidence ?? 0));
    this.about.replaceChildren(...about);
    this.box.ariaLabel = blind ? card.id.slice(0, 60) : spoken(card, given);
    if (!same) this.box.dataset.node = String(card.node);
  }

  /** @param {import("./types.js").Card[]} cards */
  prepare(cards) {
    this.#ready = new Map(cards.map((card) => [card.node, this.#ready.get(card.node) ?? content(card, true)]));
  }

  /** @param {number[]} nodes @param {Uint16Array} packed @param {(code: number) => string | null} nameOf */
  selection(nodes, packed, nameOf) {
    /** @type {Map<string, number>} */
    const kinds = new Map();
    for (const node of nodes) {
      const name = nameOf((packed[node] ?? 0) >> 4);
      if (name !== null) kinds.set(name, (kinds.get(name) ?? 0) + 1);
    }
    const rows = [...kinds].sort((a, b) => b[1] - a[1]).slice(0, MOST_KINDS);
    this.#say(
      `${counted(nodes.length, "point")} selected`,
      make("span", "what", "The key of a class labels them all. Esc lets go."),
      ...rows.map(([name, count]) =>
        make("span", "said", markOf(this.slots, name), setName(make("bdi"), name, 40), make("span", "number", count.toLocaleString("en"))),
      ),
    );
  }

  /** @param {string} sentence @param {string} [more] */
  nothing(sentence, more = "") {
    this.#say(sentence, make("span", "what", more));
  }

  /** @param {string} head @param {HTMLElement[]} rest */
  #say(head, ...rest) {
    this.#drawn = "";
    delete this.box.dataset.node;
    this.box.ariaLabel = head;
    this.body.replaceChildren();
    this.about.replaceChildren(make("span", "id", head), ...rest);
  }
}

/** @param {number} confidence */
function meter(confidence) {
  const bar = make("meter");
  bar.max = 1;
  bar.value = confidence;
  bar.ariaLabel = "Confidence";
  return bar;
}
