/** A colour, a shape and a key for every class. */

/**
 * Ten colours per ground with at least 3:1 contrast on it, chosen by a local search for differences that remain with each
 * kind of colour blindness. Some pairs stay close there: shapes and names tell them apart.
 */
const LIGHT = ["#001dad", "#ed5f18", "#459f5d", "#d056dc", "#8c591c", "#2d76a3", "#b11f6d", "#284700", "#733ad4", "#592656"];
const DARK = ["#4f84fe", "#feb98c", "#5fcf28", "#f66bb9", "#e4f23d", "#00f9db", "#c04350", "#a48b08", "#b3b6fd", "#a738c5"];

const GROUNDS = { light: "#fafaf8", dark: "#14171b" };
/** Points without a label, and what unsure colours fade to; 3:1 on its ground. */
const FADED = { light: "#8c9096", dark: "#6d747d" };

export const SHAPES = ["circle", "square", "triangle", "diamond", "cross", "wedge"];
/** Letters that mean something else: new class, lasso, skip, take back. */
export const RESERVED = "nlsz";
export const KEYS = [..."123456789", ...[..."abcdefghijklmnopqrstuvwxyz"].filter((letter) => !RESERVED.includes(letter))];

const GOLDEN_ANGLE = 137.508;

const scheme = window.matchMedia("(prefers-color-scheme: dark)");

/** @returns {"light" | "dark"} */
export const ground = () => (scheme.matches ? "dark" : "light");

/** @param {() => void} told */
export const onSchemeChange = (told) => scheme.addEventListener("change", told);

export const groundColour = () => GROUNDS[ground()];
export const fadedColour = () => FADED[ground()];

/** @param {string} hex @returns {[number, number, number]} from 0 to 1 */
export function channels(hex) {
  const value = parseInt(hex.slice(1), 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}

/** @param {[number, number, number]} rgb */
function luminance(rgb) {
  const [r, g, b] = rgb.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** @param {string} one @param {string} other */
export function contrast(one, other) {
  const [low, high] = [luminance(channels(one)), luminance(channels(other))].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** @param {number} hue @param {number} saturation @param {number} lightness */
function hex(hue, saturation, lightness) {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const part = (/** @type {number} */ n) => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return `#${[0, 8, 4].map((n) => part(n).toString(16).padStart(2, "0")).join("")}`;
}

/** Beyond the palette: hues far from the last ones, moved in lightness until they stand out. @param {number} slot */
function generated(slot) {
  const dark = ground() === "dark";
  const wanted = [0.5, 0.38, 0.62][slot % 3];
  for (let shift = 0; shift < 0.5; shift += 0.02) {
    const colour = hex((slot * GOLDEN_ANGLE) % 360, 0.65, dark ? wanted + shift : wanted - shift);
    if (contrast(colour, groundColour()) >= 3) return colour;
  }
  return fadedColour();
}

/** @type {Map<string, string>} */
const made = new Map();

/** @param {number} slot @returns {string} */
export function colourOf(slot) {
  const known = (ground() === "dark" ? DARK : LIGHT)[slot];
  if (known) return known;
  const key = `${ground()} ${slot}`;
  if (!made.has(key)) made.set(key, generated(slot));
  return /** @type {string} */ (made.get(key));
}

/** @param {number} slot */
export const shapeOf = (slot) => slot % SHAPES.length;

/** Classes keep their colour, shape and key while others come, go, or are renamed. */
export class Slots {
  /** @type {Map<string, number>} */
  #slots = new Map();

  /**
   * @param {string[]} names  the classes there are now
   * @param {Map<string, number>} told  the slots that the server has given; a class that it does not know yet gets the lowest
   *   that is free, as it will there
   */
  settle(names, told) {
    const present = new Set(names);
    for (const name of [...this.#slots.keys()]) if (!present.has(name)) this.#slots.delete(name);
    const given = new Set(told.values());
    for (const [name, slot] of [...this.#slots]) if (given.has(slot) && !told.has(name)) this.#slots.delete(name);
    for (const [name, slot] of told) this.#slots.set(name, slot);
    const taken = new Set(this.#slots.values());
    let free = 0;
    for (const name of names) {
      if (this.#slots.has(name)) continue;
      while (taken.has(free)) free++;
      taken.add(free);
      this.#slots.set(name, free);
    }
  }

  /** @param {string} old @param {string} now */
  rename(old, now) {
    const slot = this.#slots.get(old);
    if (slot === undefined || this.#slots.has(now)) return;
    this.#slots.delete(old);
    this.#slots.set(now, slot);
  }

  /** @param {string} name @returns {number} -1 where there is no such class */
  of(name) {
    return this.#slots.get(name) ?? -1;
  }

  /** @param {string} name @returns {string} "" where keys have run out */
  key(name) {
    return KEYS[this.of(name)] ?? "";
  }

  /** @param {string} key @returns {string | null} */
  named(key) {
    const slot = KEYS.indexOf(key);
    for (const [name, held] of this.#slots) if (slot >= 0 && held === slot) return name;
    return null;
  }

  /** @param {string[]} names  in the order of their keys */
  sorted(names) {
    return [...names].sort((a, b) => this.of(a) - this.of(b));
  }
}
