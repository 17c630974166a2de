/** Text from data, made fit to show: nothing in it can reorder, hide or lengthen what stands around it. */

/** Marks that change direction or take no room, and controls other than line break and tab. */
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const BREAKS = /[\n\t]/g;

/** @param {string} mark */
const spelled = (mark) => `[U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`;

/** @param {string} text */
export const visible = (text) => text.replace(UNSEEN, spelled);

/** One line of at most `limit` characters. @param {string} text @param {number} limit */
export function short(text, limit) {
  const cut = text.length > limit ? `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, "")}…` : text;
  return visible(cut).replace(BREAKS, " ");
}

/**
 * Put a name into an element: cut, kept apart from the direction of what is around it, the whole in the title.
 * @template {HTMLElement} E
 * @param {E} element @param {string} text @param {number} [limit]
 * @returns {E}
 */
export function setName(element, text, limit = 60) {
  const cut = short(text, limit);
  element.textContent = cut;
  element.dir = "auto";
  element.classList.add("name");
  if (cut === text) element.removeAttribute("title");
  else element.title = visible(text);
  return element;
}

/** @param {number} count @param {string} one @param {string} [many] */
export const counted = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** @param {number} share */
export const percent = (share) => `${Math.round(100 * share)}%`;
