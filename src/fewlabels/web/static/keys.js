/** Keys that work everywhere on the page, except while one types. */

/**
 * @typedef {object} Commands
 * @property {(key: string) => boolean} label  false where no class has this key
 * @property {() => void} accept
 * @property {() => void} skip
 * @property {() => void} undo
 * @property {() => void} unlabel
 * @property {(step: number) => void} move
 * @property {() => void} search
 * @property {() => void} newClass
 * @property {() => void} lasso
 * @property {() => void} help
 * @property {() => void} escape
 */

/** @param {EventTarget | null} target */
const typing = (target) => target instanceof HTMLElement && target.matches("input:not([type=range], [type=checkbox]), select, textarea");

/** @param {EventTarget | null} target */
const pressable = (target) => target instanceof HTMLElement && target.matches("button, a, summary, select, input");

/** A long text that arrow keys scroll. @param {EventTarget | null} target @param {string} key */
const scrolls = (target, key) =>
  (key === "ArrowUp" || key === "ArrowDown") && target instanceof HTMLElement && target.matches(".text") && target.scrollHeight > (target.parentElement ?? target).clientHeight;

/** Keys that go on while they are held; any other would label points that nobody has seen. */
const HELD = new Set(["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"]);

/** @param {Commands} commands @param {() => boolean} closed  true while a dialog is open */
export function listen(commands, closed) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || closed() || event.isComposing) return;
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (scrolls(event.target, key) || (event.repeat && !HELD.has(key))) return;
    if (key === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !typing(event.target)) commands.undo();
    else if (!plain) return;
    else if (key === "Escape") commands.escape();
    else if (typing(event.target)) return;
    else if (!pressed(key, event, commands)) return;
    event.preventDefault();
  });
}

/** @param {string} key @param {KeyboardEvent} event @param {Commands} commands @returns {boolean} whether it meant something */
function pressed(key, event, commands) {
  const arrows = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
  const step = arrows[/** @type {keyof typeof arrows} */ (key)];
  const slider = event.target instanceof HTMLInputElement && event.target.type === "range";
  if (step && !slider) commands.move(step);
  else if (key === "Enter" && !event.shiftKey && !pressable(event.target)) commands.accept();
  else if (key === "Delete" || key === "Backspace") commands.unlabel();
  else if (key === "/") commands.search();
  else if (key === "?") commands.help();
  else if (key === "s") commands.skip();
  else if (key === "z") commands.undo();
  else if (key === "n") commands.newClass();
  else if (key === "l") commands.lasso();
  else return commands.label(key);
  return true;
}
