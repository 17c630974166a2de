/** What a person does: give, accept, pass over, take back, pick, select, rename, merge. Each is shown before it is sent. */

import { fetchPoint } from "./api.js";
import { confirmMany, editClass } from "./dialogs.js";
import { counted, short } from "./text.js";

const ASK_ABOVE = 50;

/** @param {string} name */
const quoted = (name) => `“${short(name, 40)}”`;

export class Desk {
  /**
   * @param {import("./store.js").Store} store @param {import("./deck.js").Deck} deck @param {import("./check.js").Checking} checking
   * @param {import("./colours.js").Slots} slots @param {import("./map.js").PointMap} map @param {(sentence: string) => void} say
   */
  constructor(store, deck, checking, slots, map, say) {
    this.store = store;
    this.deck = deck;
    this.checking = checking;
    this.slots = slots;
    this.map = map;
    this.say = say;
  }

  /** @param {string} name */
  give(name) {
    if (this.checking.active) {
      if (this.checking.answer(name)) this.say(`Checked as ${quoted(name)}.`);
      return;
    }
    if (this.map.selection.length) {
      void this.#giveMany(name);
      return;
    }
    const card = this.deck.current;
    if (card && this.store.checked.has(card.node)) return this.say(`${short(card.id, 40)} is kept for checking, and not learnt from.`);
    if (!card) {
      if (!this.store.names.includes(name)) this.store.act({ kind: "class", name });
      this.say(`There is no card to label as ${quoted(name)}.`);
      return;
    }
    this.store.act({ kind: "label", nodes: [card.node], label: name }, [card]);
    this.deck.advance({ given: name });
    this.say(`${short(card.id, 40)} is ${quoted(name)}.`);
  }

  /** @param {string} name */
  async #giveMany(name) {
    const nodes = this.map.selection.filter((node) => !this.store.checked.has(node));
    if (!nodes.length) return this.say("All these points are kept for checking, and not learnt from.");
    const others = nodes.filter((node) => (this.store.given.get(node) ?? name) !== name).length;
    if (nodes.length > ASK_ABOVE && !(await confirmMany(nodes.length, name, others))) {
      this.say("Nothing was labelled.");
      return;
    }
    this.store.act({ kind: "label", nodes, label: name });
    this.say(`${counted(nodes.length, "point")} labelled as ${quoted(name)}.`);
    this.letGo();
  }

  /** @param {string} key @returns {boolean} */
  giveByKey(key) {
    const name = this.slots.named(key);
    if (name !== null) this.give(name);
    return name !== null;
  }

  accept() {
    if (this.checking.active) return this.say("The guess is not shown while checking: press the key of a class.");
    if (this.map.selection.length) return this.say("Press the key of a class to label the selected points.");
    const card = this.deck.current;
    const guess = card && (card.instead ?? card.guess);
    if (!card) return this.say("There is no card.");
    if (guess === null || !this.store.names.includes(this.store.resolve(guess))) {
      return this.say("There is no guess yet: press the key of a class, or N for a new one.");
    }
    this.give(this.store.resolve(guess));
  }

  skip() {
    if (this.checking.active) return this.say("A checking round takes the points as they come.");
    const card = this.deck.current;
    if (!card || this.map.selection.length) return;
    if (this.store.given.has(card.node)) {
      this.deck.pass();
      return this.say(`${short(card.id, 40)} stays as it is.`);
    }
    this.store.act({ kind: "skip", node: card.node }, [card]);
    this.deck.advance({});
    this.say(`${short(card.id, 40)} is passed over.`);
  }

  undo() {
    if (!this.store.canUndo) return this.say("There is nothing to take back.");
    const back = this.store.undo();
    const card = back?.cards[0];
    if (card && !this.checking.active) this.deck.putFirst(card);
    this.say(card ? `Taken back: ${short(card.id, 40)} is here again.` : "The last step is taken back.");
  }

  unlabel() {
    const nodes = this.map.selection.length ? this.map.selection : this.deck.current ? [this.deck.current.node] : [];
    const given = nodes.filter((node) => this.store.given.has(node));
    if (this.checking.active || !given.length) return this.say("There is no label here to take away.");
    const card = this.deck.current;
    this.store.act({ kind: "unlabel", nodes: given }, card && !this.map.selection.length ? [card] : []);
    if (!this.map.selection.length) this.deck.advance({ given: null });
    this.say(`${counted(given.length, "label")} taken away.`);
    this.letGo();
  }

  /** @param {number} node  a point clicked on the map */
  async pick(node) {
    if (this.checking.active) return;
    this.letGo();
    const card = this.store.card(await fetchPoint(node));
    this.deck.putFirst(card);
    this.say(`${short(card.id, 40)} is on the card.`);
  }

  /** @param {number[]} nodes @param {boolean} add */
  select(nodes, add) {
    if (this.checking.active) return this.say("Points are selected outside the checking round.");
    const chosen = add ? [...new Set([...this.map.selection, ...nodes])] : nodes;
    this.map.select(chosen);
    if (chosen.length) this.deck.show("selected", { nodes: chosen });
    else if (this.deck.view === "selected") this.deck.show("next");
    this.say(chosen.length ? `${counted(chosen.length, "point")} selected: press the key of a class.` : "No point is selected.");
  }

  letGo() {
    if (!this.map.selection.length) return;
    this.map.select([]);
    if (this.deck.view === "selected") this.deck.show("next");
  }

  /** @param {string} name @returns {Promise<string | null>} the class whose points are to be shown */
  async edit(name) {
    const others = this.slots.sorted(this.store.names).filter((other) => other !== name);
    const { what, name: wanted } = await editClass(name, others);
    if (what === "show") return name;
    if (!wanted || wanted === name || what === "") return null;
    if (what === "merge" || this.store.names.includes(wanted)) {
      this.store.act({ kind: "merge", classes: [name], into: wanted });
      this.say(`${quoted(name)} is now part of ${quoted(wanted)}.`);
    } else {
      this.slots.rename(name, wanted);
      this.store.act({ kind: "rename", old: name, new: wanted });
      this.say(`${quoted(name)} is now ${quoted(wanted)}.`);
    }
    return null;
  }
}
