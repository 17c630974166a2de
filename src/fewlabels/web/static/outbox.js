/** Actions on their way to the server: in order, one at a time, sent again under the same id until there is an answer. */

import { postAction, Refused } from "./api.js";

/**
 * @typedef {object} Entry
 * @property {string} id
 * @property {import("./types.js").Action} action
 * @property {number | null} seq  place in the journal, once the server has said so
 */

const KEPT = "fewlabels-outbox";
const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 4000;

/** Answers that are about this action; everything else is about the connection, and the action waits. */
const ABOUT_THE_ACTION = new Set([400, 404, 409, 413, 415, 422]);

/** A random name of an action; `crypto.randomUUID` is missing where the page is not served from this machine. */
function newId() {
  const hex = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const version = `4${hex.slice(13, 16)}`;
  return [hex.slice(0, 8), hex.slice(8, 12), version, `8${hex.slice(17, 20)}`, hex.slice(20)].join("-");
}

export class Outbox extends EventTarget {
  /** @type {Entry[]} */
  waiting = [];
  /** Why nothing gets through at present. @type {string | null} */
  trouble = null;
  #sending = false;
  #book = "";

  /**
   * Take up what a reload interrupted.
   * @param {string} book  which data the actions belong to; those of other data are left alone
   */
  open(book) {
    this.#book = `${KEPT}:${book}`;
    this.waiting.push(...JSON.parse(sessionStorage.getItem(this.#book) ?? "[]"));
    void this.#send();
    return [...this.waiting];
  }

  /** @param {import("./types.js").Action} action @returns {Entry} */
  add(action) {
    const entry = { id: newId(), action, seq: null };
    this.waiting.push(entry);
    this.#keep();
    void this.#send();
    return entry;
  }

  async #send() {
    if (this.#sending) return;
    this.#sending = true;
    let pause = FIRST_PAUSE;
    while (this.waiting.length) {
      const entry = this.waiting[0];
      try {
        entry.seq = (await postAction({ id: entry.id, ...entry.action })).seq;
        pause = FIRST_PAUSE;
        this.#done(entry, "sent", "");
      } catch (error) {
        if (error instanceof Refused && ABOUT_THE_ACTION.has(error.status)) {
          this.#done(entry, "refused", error.message);
          continue;
        }
        this.trouble = error instanceof Refused ? error.message : "The server does not answer.";
        this.dispatchEvent(new CustomEvent("trouble"));
        await new Promise((resolve) => setTimeout(resolve, pause));
        pause = Math.min(2 * pause, LONGEST_PAUSE);
      }
    }
    this.#sending = false;
  }

  /** @param {Entry} entry @param {string} how @param {string} sentence */
  #done(entry, how, sentence) {
    this.waiting.shift();
    this.#keep();
    this.trouble = null;
    this.dispatchEvent(new CustomEvent(how, { detail: { entry, sentence } }));
  }

  /** For a reload, as far as the browser has room: what it has not is sent all the same, and asked about before one. */
  #keep() {
    try {
      if (this.waiting.length) sessionStorage.setItem(this.#book, JSON.stringify(this.waiting));
      else sessionStorage.removeItem(this.#book);
    } catch {
      sessionStorage.removeItem(this.#book);
    }
  }
}
