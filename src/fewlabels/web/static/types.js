/**
 * What the server says and takes, as types. Nothing runs here.
 *
 * @typedef {{code: number, name: string, slot: number, given: number, total: number}} ClassRow
 *
 * @typedef {object} ServerState
 * @property {number} version
 * @property {number} seq
 * @property {number} n
 * @property {string} title
 * @property {"image" | "text" | "columns"} kind
 * @property {ClassRow[]} classes
 * @property {[number, number][]} given
 * @property {number[]} checked  points that are kept for checking
 * @property {boolean} solving
 * @property {boolean} stale
 * @property {{what: string, done: number} | null} stage
 * @property {number} map
 * @property {boolean} undo
 * @property {string | null} out
 * @property {string | null} message
 *
 * @typedef {object} ServerCard
 * @property {number} node
 * @property {string} id
 * @property {number} guess
 * @property {number | null} confidence
 * @property {number} given
 * @property {string | null} text
 * @property {[string, string][] | null} columns
 * @property {boolean} image
 * @property {number} [instead]
 *
 * Classes are known by name in the page, since a code is only a place in the present list.
 * @typedef {object} Card
 * @property {number} node
 * @property {string} id
 * @property {string | null} guess
 * @property {number | null} confidence
 * @property {string | null} given
 * @property {string | null} instead
 * @property {string | null} text
 * @property {[string, string][] | null} columns
 * @property {boolean} image
 *
 * @typedef {{kind: "label", nodes: number[], label: string}
 *   | {kind: "unlabel", nodes: number[]}
 *   | {kind: "skip", node: number}
 *   | {kind: "rename", old: string, new: string}
 *   | {kind: "merge", classes: string[], into: string}
 *   | {kind: "class", name: string}
 *   | {kind: "undo"}
 *   | {kind: "check", node: number, label: string}} Action
 *
 * @typedef {"next" | "unsure" | "slips" | "class" | "check" | "search" | "selected"} View
 *
 * @typedef {object} Checking
 * @property {ServerCard | null} card
 * @property {number} checked
 * @property {number} right
 * @property {number | null} accuracy
 * @property {[number, number] | null} interval
 */

export {};
