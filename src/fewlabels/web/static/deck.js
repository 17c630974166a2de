/** The cards of the present view, and which of them is meant. The cards are held here, so that a key never waits. */

import { fetchCards, fetchPoint, fetchSearch } from "./api.js";
import { counted } from "./text.js";

const PAGE = 12;
const SPARE = 6;
const MOST = 200;
/** Draws at random in search of points that nobody has dealt with. */
const TRIES = 1000;
/** Views whose cards go away once they are dealt with. */
const DWINDLING = new Set(["next", "unsure", "slips"]);

export class Deck extends EventTarget {
  /** @type {import("./types.js").View} */
  view = "next";
  /** @type {import("./types.js").Card[]} */
  cards = [];
  index = 0;
  total = 0;
  loaded = false;
  /** The class of view "class". @type {string | null} */
  className = null;
  reverse = false;
  query = "";
  /** The points of view "selected". @type {number[]} */
  nodes = [];
  #wanted = PAGE;
  #asked = 0;
  #busy = false;
  #again = false;
  /** Contradictions that were looked at and left as they are. @type {Set<number>} */
  #passed = new Set();

  /** @param {import("./store.js").Store} store */
  constructor(store) {
    super();
    this.store = store;
  }

  /** @returns {import("./types.js").Card | null} */
  get current() {
    return this.cards[this.index] ?? null;
  }

  /** @param {import("./types.js").View} view @param {Partial<Pick<Deck, "className" | "reverse" | "query" | "nodes">>} [options] */
  show(view, options = {}) {
    Object.assign(this, options);
    this.view = view;
    this.cards = [];
    this.index = 0;
    this.total = 0;
    this.loaded = false;
    this.#wanted = PAGE;
    this.#asked++;
    this.#busy = false;
    this.#changed();
    void this.refresh();
  }

  /** Ask the server for the view's cards again; the card that is meant stays where it is. */
  async refresh() {
    if (this.view === "check") return;
    if (this.#busy) {
      this.#again = true;
      return;
    }
    this.#busy = true;
    const asked = this.#asked;
    try {
      const { cards, total } = await this.#fetch();
      if (asked === this.#asked) await this.#take(cards, total);
    } catch (error) {
      if (asked === this.#asked) this.dispatchEvent(new CustomEvent("trouble", { detail: String(/** @type {Error} */ (error).message) }));
    }
    if (asked !== this.#asked) return;
    this.#busy = false;
    if (this.#again) {
      this.#again = false;
      void this.refresh();
    }
  }

  /** @returns {Promise<{cards: import("./types.js").ServerCard[], total: number}>} */
  async #fetch() {
    if (this.view === "search") return fetchSearch(this.query);
    if (this.view === "selected") {
      const cards = await Promise.all(this.nodes.slice(0, PAGE).map(fetchPoint));
      return { cards, total: this.nodes.length };
    }
    const code = this.className === null ? 0 : 1 + (this.store.server?.classes.findIndex(({ name }) => name === this.className) ?? -1);
    if (this.view === "class" && code < 1) return { cards: [], total: 0 };
    const found = await fetchCards({ view: this.view, code, offset: 0, limit: this.#wanted, reverse: this.reverse });
    return this.view === "next" && this.#begun ? this.#filled(found) : found;
  }

  /** Whether there is an answer, or one is being worked out; before that, the first questions are worth waiting for. */
  get #begun() {
    const { server } = this.store;
    return server !== null && (server.version > 0 || server.stale || server.solving);
  }

  /**
   * Keys may be faster than the model. Until it has said what to ask next, the least sure points are asked, or any.
   * @param {{cards: import("./types.js").ServerCard[], total: number}} found
   */
  async #filled(found) {
    const left = found.cards.filter((card) => !this.#dealtWith(this.store.card(card)));
    if (left.length >= SPARE) return found;
    const { cards } = await fetchCards({ view: "unsure", code: 0, offset: 0, limit: PAGE, reverse: false });
    const more = cards.filter(({ node }) => !left.some((card) => card.node === node));
    const any = left.length + more.length < SPARE ? await Promise.all(this.#drawn(SPARE).map(fetchPoint)) : [];
    return { cards: [...left, ...more, ...any], total: found.total };
  }

  /** Points drawn at random that nobody has dealt with. @param {number} count */
  #drawn(count) {
    const n = this.store.server?.n ?? 0;
    const held = new Set(this.cards.map(({ node }) => node));
    /** @type {Set<number>} */
    const drawn = new Set();
    for (let tries = 0; tries < TRIES && drawn.size < count; tries++) {
      const node = Math.floor(Math.random() * n);
      if (n && !held.has(node) && !this.store.given.has(node) && !this.store.skipped.has(node)) drawn.add(node);
    }
    return [...drawn];
  }

  /** @param {import("./types.js").ServerCard[]} found @param {number} total */
  async #take(found, total) {
    const asked = this.#asked;
    const held = this.loaded ? this.current : null;
    const missing = held !== null && !this.#dealtWith(held) && !found.some(({ node }) => node === held.node);
    const fresh = missing ? [...found, await fetchPoint(held.node)] : found;
    if (asked !== this.#asked) return;
    const once = new Map(fresh.map((card) => [card.node, card]));
    const cards = [...once.values()].map((card) => this.store.card(card)).filter((card) => !this.#dealtWith(card));
    const now = this.current;
    if (this.loaded && now && !this.#dealtWith(now)) {
      const place = cards.findIndex(({ node }) => node === now.node);
      const [kept] = place < 0 ? [now] : cards.splice(place, 1);
      cards.splice(Math.min(this.index, cards.length), 0, kept);
    }
    this.cards = cards;
    this.total = total;
    this.loaded = true;
    this.index = Math.max(0, Math.min(this.index, cards.length - 1));
    this.#changed();
  }

  /** @param {import("./types.js").Card} card */
  #dealtWith(card) {
    const given = this.store.given.get(card.node) ?? null;
    if (this.view === "slips") return this.#passed.has(card.node) || given !== card.given;
    return DWINDLING.has(this.view) && (given !== null || this.store.skipped.has(card.node));
  }

  /** @param {number} step */
  move(step) {
    const next = Math.max(0, Math.min(this.cards.length - 1, this.index + step));
    if (next === this.index) return;
    this.index = next;
    this.#changed();
    this.#fillUp();
  }

  /** @param {number} node */
  moveTo(node) {
    const place = this.cards.findIndex((card) => card.node === node);
    if (place >= 0) this.move(place - this.index);
  }

  /** The present card was dealt with: on to the next. @param {Partial<import("./types.js").Card>} change  what is new about it */
  advance(change) {
    const card = this.current;
    if (!card) return;
    if (DWINDLING.has(this.view)) {
      this.cards.splice(this.index, 1);
      this.total = Math.max(0, this.total - 1);
      this.index = Math.max(0, Math.min(this.index, this.cards.length - 1));
    } else {
      this.cards[this.index] = { ...card, ...change };
      this.index = Math.min(this.index + 1, this.cards.length - 1);
    }
    this.#changed();
    this.#fillUp();
  }

  /** Leave a contradiction as it is. */
  pass() {
    if (this.current && this.view === "slips") this.#passed.add(this.current.node);
    this.advance({});
  }

  /** Put a card in front: one that was picked on the map, or one that is taken back. @param {import("./types.js").Card} card */
  putFirst(card) {
    this.cards = this.cards.filter(({ node }) => node !== card.node);
    this.index = Math.min(this.index, this.cards.length);
    this.cards.splice(this.index, 0, card);
    this.loaded = true;
    this.#changed();
  }

  /** How many points the view has; where not all of them can be shown, how many of the first. */
  get counted() {
    const most = Math.min(MOST, this.total);
    return most < this.total ? `the first ${most} of ${counted(this.total, "point")}` : counted(this.total, "point");
  }

  #fillUp() {
    const left = this.cards.length - this.index;
    if (left >= SPARE || this.view === "search" || this.view === "selected") return;
    if (!DWINDLING.has(this.view) || this.index > 0) this.#wanted = Math.min(MOST, Math.max(this.#wanted, this.cards.length + PAGE));
    if (this.cards.length < this.total || DWINDLING.has(this.view)) void this.refresh();
  }

  #changed() {
    this.dispatchEvent(new CustomEvent("change"));
  }
}
