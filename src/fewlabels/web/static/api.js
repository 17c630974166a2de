/** The server's addresses: one function each. */

/** Milliseconds after which a write counts as unanswered; it is sent again under the same id, and never done twice. */
const LONGEST_WAIT = 20000;

/** The server understood and said no; the message is its sentence. */
export class Refused extends Error {
  /** @param {string} message @param {number} status */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** @param {string} path @param {RequestInit} [options] @returns {Promise<Response>} */
async function ask(path, options) {
  const response = await fetch(path, { credentials: "same-origin", ...options });
  if (response.ok) return response;
  let sentence = `The server answered with ${response.status}.`;
  try {
    sentence = (await response.json()).error ?? sentence;
  } catch {
    // not JSON: the status has to do
  }
  throw new Refused(sentence, response.status);
}

/** @param {string} path @returns {Promise<any>} */
const json = async (path) => (await ask(path, { cache: "no-store" })).json();

/** @param {string} path @param {object} body @returns {Promise<any>} */
async function post(path, body) {
  const headers = { "Content-Type": "application/json", "X-Fewlabels": "1" };
  const signal = AbortSignal.timeout(LONGEST_WAIT);
  return (await ask(path, { method: "POST", headers, body: JSON.stringify(body), signal })).json();
}

/** @param {string} path @param {string} header */
async function binary(path, header) {
  const response = await ask(path, { cache: "no-store" });
  return { version: Number(response.headers.get(header)), buffer: await response.arrayBuffer() };
}

/** @returns {Promise<import("./types.js").ServerState>} */
export const fetchState = () => json("/api/state");

/** Places of all points, two 32-bit floats each. */
export async function fetchMap() {
  const { version, buffer } = await binary("/api/map", "X-Map");
  return { version, places: new Float32Array(buffer) };
}

/** Label and confidence of all points: code << 4 | level. */
export async function fetchPoints() {
  const { version, buffer } = await binary("/api/points", "X-Version");
  return { version, packed: new Uint16Array(buffer) };
}

/**
 * @param {{view: string, code: number, offset: number, limit: number, reverse: boolean}} wanted
 * @returns {Promise<{version: number, cards: import("./types.js").ServerCard[], total: number}>}
 */
export function fetchCards({ view, code, offset, limit, reverse }) {
  const query = new URLSearchParams({ view, offset: String(offset), limit: String(limit) });
  if (view === "class") query.set("class", String(code));
  if (reverse) query.set("reverse", "1");
  return json(`/api/cards?${query}`);
}

/** @param {number} node @returns {Promise<import("./types.js").ServerCard>} */
export const fetchPoint = (node) => json(`/api/point/${node}`);

/** @param {string} text @returns {Promise<{cards: import("./types.js").ServerCard[], total: number}>} */
export const fetchSearch = (text) => json(`/api/search?${new URLSearchParams({ q: text, limit: "200" })}`);

/** @returns {Promise<{version: number, above: [number, number, number | null][]}>} */
export const fetchConfidence = () => json("/api/confidence");

/** @returns {Promise<import("./types.js").Checking>} */
export const fetchCheck = () => json("/api/check");

/** @param {object} body @returns {Promise<{seq: number}>} */
export const postAction = (body) => post("/api/actions", body);

/** @returns {Promise<{saved: string}>} */
export const postSave = () => post("/api/save", {});

/** @param {number} node */
export const imageAddress = (node) => `/api/image/${node}`;
