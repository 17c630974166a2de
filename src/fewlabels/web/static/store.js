/** What is known: the server's state, and on top of it this page's own actions that the state does not contain yet. */

import { Outbox } from "./outbox.js";

/**
 * @typedef {import("./types.js").Action} Action
 * @typedef {object} Deed  one action of this page
 * @property {import("./outbox.js").Entry} entry
 * @property {Map<number, string | null>} before  labels it replaced
 * @property {Deed | null} back  for an undo: what it takes back, where this page knows
 * @property {import("./types.js").Card[]} cards  cards that went away with it
 */

export class Store extends EventTarget {
  /** @type {import("./types.js").ServerState | null} */
  server = null;
  outbox = new Outbox();
  /** Labelled points as they will be once every action has arrived. @type {Map<number, string>} */
  given = new Map();
  /** Names of classes, likewise. @type {string[]} */
  names = [];
  /** Their places among keys and colours, as far as the server knows them. @type {Map<string, number>} */
  slots = new Map();
  /** Points kept for checking, which nothing is learnt from. @type {Set<number>} */
  checked = new Set();
  /** Points passed over on this page. @type {Set<number>} */
  skipped = new Set();
  /** @type {Deed[]} */
  #unseen = [];
  /** @type {Deed[]} */
  #history = [];
  /** The last place in the journal that this page can account for; beyond it, another page has acted. */
  #accounted = 0;
  /** Names that were changed while the server's list is older. @type {Map<string, string>} */
  #renamed = new Map();

  constructor() {
    super();
    this.outbox.addEventListener("refused", (event) => {
      const { entry } = /** @type {CustomEvent} */ (event).detail;
      this.#forget(entry);
      this.#changed();
    });
    this.outbox.addEventListener("sent", (event) => {
      this.#account(/** @type {CustomEvent} */ (event).detail.entry);
      this.#changed();
    });
  }

  /** @param {import("./types.js").ServerState} state */
  take(state) {
    const first = this.server === null;
    this.server = state;
    if (first) {
      this.#accounted = state.seq;
      for (const entry of this.outbox.open(`${state.title}:${state.n}`)) this.#unseen.push(this.#deed(entry, null, []));
    }
    this.#changed();
  }

  /**
   * @param {Action} action
   * @param {import("./types.js").Card[]} [cards]  cards that go away with it, to come back on undo
   */
  act(action, cards = []) {
    const deed = this.#deed(this.outbox.add(action), null, cards);
    this.#unseen.push(deed);
    this.#history.push(deed);
    if (action.kind === "skip") this.skipped.add(action.node);
    this.#changed();
  }

  /** Take the last action back. @returns {Deed | null} what that was, where it was this page's own */
  undo() {
    const seen = this.server?.seq ?? 0;
    if (!this.unsent && seen > this.#accounted) {
      this.#history = [];
      this.#accounted = seen;
    }
    const back = this.#history.pop() ?? null;
    this.#unseen.push(this.#deed(this.outbox.add({ kind: "undo" }), back, []));
    if (back?.entry.action.kind === "skip") this.skipped.delete(back.entry.action.node);
    this.#changed();
    return back;
  }

  get canUndo() {
    return this.#history.length > 0 || (this.server?.undo ?? false);
  }

  /** Number of actions that are not on disk yet. */
  get unsent() {
    return this.outbox.waiting.length;
  }

  /** @param {number} code @returns {string | null} the name behind a code of the server */
  nameOf(code) {
    const name = this.server?.classes[code - 1]?.name;
    return name === undefined ? null : this.resolve(name);
  }

  /** @param {string} name @returns {string} the name it goes by now */
  resolve(name) {
    let now = name;
    for (let hops = 0; hops < 50 && this.#renamed.has(now); hops++) now = /** @type {string} */ (this.#renamed.get(now));
    return now;
  }

  /** @param {import("./types.js").ServerCard} card @returns {import("./types.js").Card} */
  card(card) {
    const { node, id, confidence, text, columns, image } = card;
    const names = { guess: this.nameOf(card.guess), given: this.nameOf(card.given), instead: this.nameOf(card.instead ?? 0) };
    return { node, id, confidence, text, columns, image, ...names };
  }

  /** What another page did in between is not ours to show as taken back. @param {import("./outbox.js").Entry} entry */
  #account(entry) {
    const seq = entry.seq ?? 0;
    if (seq > this.#accounted + 1) this.#history = this.#history.filter(({ entry: own }) => own.seq === null || own.seq >= seq);
    this.#accounted = Math.max(this.#accounted, seq);
  }

  /** @param {import("./outbox.js").Entry} entry @param {Deed | null} back @param {import("./types.js").Card[]} cards */
  #deed(entry, back, cards) {
    const { action } = entry;
    const nodes = action.kind === "label" || action.kind === "unlabel" ? action.nodes : [];
    return { entry, back, cards, before: new Map(nodes.map((node) => [node, this.given.get(node) ?? null])) };
  }

  /** @param {import("./outbox.js").Entry} entry */
  #forget(entry) {
    this.#unseen = this.#unseen.filter((deed) => deed.entry !== entry);
    this.#history = this.#history.filter((deed) => deed.entry !== entry);
    if (entry.action.kind === "skip") this.skipped.delete(entry.action.node);
  }

  #changed() {
    const server = this.server;
    if (!server) return;
    this.#unseen = this.#unseen.filter(({ entry }) => entry.seq === null || entry.seq > server.seq);
    this.#renamed = new Map();
    this.names = server.classes.map((row) => row.name);
    this.slots = new Map(server.classes.map((row) => [row.name, row.slot]));
    this.checked = new Set(server.checked);
    this.given = new Map(server.given.map(([node, code]) => [node, this.names[code - 1]]));
    const undone = new Set(this.#unseen.map((deed) => deed.back));
    for (const deed of this.#unseen) {
      if (undone.has(deed)) continue;
      if (deed.back && this.#unseen.includes(deed.back)) continue;
      this.#apply(deed);
    }
    this.dispatchEvent(new CustomEvent("change"));
  }

  /** @param {Deed} deed */
  #apply({ entry: { action }, back }) {
    if (action.kind === "label") {
      this.#named(action.label);
      for (const node of action.nodes) this.given.set(node, action.label);
    } else if (action.kind === "unlabel") {
      for (const node of action.nodes) this.given.delete(node);
    } else if (action.kind === "class") {
      this.#named(action.name);
    } else if (action.kind === "rename") {
      this.#become(action.old, action.new);
    } else if (action.kind === "merge") {
      for (const old of action.classes) if (old !== action.into) this.#become(old, action.into);
    } else if (action.kind === "undo" && back) {
      for (const [node, name] of back.before) name === null ? this.given.delete(node) : this.given.set(node, name);
    }
  }

  /** @param {string} name */
  #named(name) {
    if (!this.names.includes(name)) this.names.push(name);
  }

  /** @param {string} old @param {string} now */
  #become(old, now) {
    const place = this.names.indexOf(old);
    if (place >= 0) {
      if (this.names.includes(now)) this.names.splice(place, 1);
      else this.names[place] = now;
    }
    const slot = this.slots.get(old);
    this.slots.delete(old);
    if (slot !== undefined && !this.slots.has(now)) this.slots.set(now, slot);
    this.#renamed.delete(now);
    this.#renamed.set(old, now);
    for (const [node, name] of this.given) if (name === old) this.given.set(node, now);
  }
}
