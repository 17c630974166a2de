/** What an answer changed, as a sentence: seen at the foot of the page, and read out. */

import { byId } from "./dom.js";
import { counted } from "./text.js";

/**
 * @param {Uint16Array} before @param {(string | null)[]} namesBefore  by code
 * @param {Uint16Array} now @param {(string | null)[]} names  by code
 * @returns {number} points of another class than before; a class that was renamed is the same
 */
function changed(before, namesBefore, now, names) {
  const same = namesBefore.map((name) => (name === null ? 0 : names.indexOf(name)));
  let count = 0;
  for (let i = 0; i < now.length; i++) if (same[before[i] >> 4] !== now[i] >> 4) count++;
  return count;
}

export class News {
  /** @type {{packed: Uint16Array, names: string[]} | null} */
  #told = null;

  /** @param {(name: string) => string} resolve  the name a class goes by now */
  constructor(resolve) {
    this.resolve = resolve;
    this.place = byId("news", HTMLElement);
  }

  /** @param {Uint16Array} packed @param {string[]} names  of the codes from 1 on */
  tell(packed, names) {
    const last = this.#told;
    this.#told = { packed, names };
    if (last === null) return;
    const count = changed(last.packed, [null, ...last.names.map(this.resolve)], packed, [null, ...names.map(this.resolve)]);
    this.place.textContent = count ? `${counted(count, "point")} changed class.` : "No point changed class.";
  }
}
