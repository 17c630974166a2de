/** Everything brought together: parts are made here, and drawn when what they show has changed. */

import { fetchMap, fetchPoints, postSave } from "./api.js";
import { CardList } from "./cards.js";
import { Checking } from "./check.js";
import { ClassList } from "./classes.js";
import { ground, onSchemeChange, Slots } from "./colours.js";
import { Connection } from "./connection.js";
import { Deck } from "./deck.js";
import { Desk } from "./desk.js";
import { anyOpen, prepareDialogs, showHelp } from "./dialogs.js";
import { byId } from "./dom.js";
import { Focus } from "./focus.js";
import { Gestures } from "./gestures.js";
import { listen } from "./keys.js";
import { latest } from "./latest.js";
import { closeByItself } from "./menu.js";
import { News } from "./news.js";
import { PointMap } from "./map.js";
import { ConfidenceSlider } from "./slider.js";
import { drawStatus, say } from "./status.js";
import { Store } from "./store.js";
import { Tip } from "./tip.js";
import { EMPTY, Views } from "./views.js";

/** So many large cards are made before they are asked for. */
const READY = 4;

const TITLES = {
  next: "What to label next",
  unsure: "Least sure",
  slips: "Given labels that the rest would get wrong",
  class: "Points of this class",
  search: "Found",
  selected: "Selected",
  check: "Checking",
};

const store = new Store();
const slots = new Slots();
const deck = new Deck(store);
const checking = new Checking(store);
const connection = new Connection();
const map = new PointMap(byId("map", HTMLCanvasElement), byId("over", HTMLCanvasElement));
const desk = new Desk(store, deck, checking, slots, map, say);
const focus = new Focus(slots);
const cardList = new CardList(byId("deck", HTMLElement), slots, (node) => deck.moveTo(node));
const slider = new ConfidenceSlider(byId("least", HTMLInputElement), byId("least-text", HTMLOutputElement), (least) => {
  map.least = least;
  map.draw();
});
const news = new News((name) => store.resolve(name));
const tip = new Tip(byId("tip", HTMLElement), store, slots, () => checking.active);
const gestures = new Gestures(map, {
  hover: (node, x, y) => tip.show(node, x, y),
  pick: (node) => void desk.pick(node),
  select: (nodes, add) => desk.select(nodes, add),
});
const classes = new ClassList(byId("class-list", HTMLElement), byId("class-field", HTMLInputElement), byId("class-hint", HTMLElement), slots, {
  give: (name, byPointer) => {
    desk.give(name);
    if (byPointer) toCards();
  },
  edit: async (name) => {
    const shown = await desk.edit(name);
    if (shown !== null) show("class", shown);
  },
});
const views = new Views({
  view: (view, byPointer) => {
    show(view, null);
    if (byPointer) toCards();
  },
  ofClass: (name, reverse) => deck.show("class", { className: name, reverse }),
  search: (text) => (text ? show("search", null) : show("next", null)),
});

function toCards() {
  byId("deck", HTMLElement).focus({ preventScroll: true });
}

/** @param {import("./types.js").View} view @param {string | null} className */
function show(view, className) {
  if (view !== "selected") map.select([]);
  if (view !== "search") views.search.value = "";
  void checking.turn(view === "check");
  const first = deck.current?.guess ?? slots.sorted(store.names)[0] ?? null;
  deck.show(view, { className: className ?? deck.className ?? first, query: views.search.value.trim() });
}

/** @param {HTMLElement} element @param {() => void} done */
const pressed = (element, done) => element.addEventListener("click", done);

function accept() {
  if (focus.unread && !checking.active) say("The guess has just changed: look again, then accept.");
  else desk.accept();
}

function toggleLasso() {
  gestures.lasso = !gestures.lasso;
  byId("lasso", HTMLElement).ariaPressed = String(gestures.lasso);
  map.canvas.classList.toggle("lasso", gestures.lasso);
  say(gestures.lasso ? "Draw around points on the map." : "Drag moves the map.");
}

listen(
  {
    label: (key) => desk.giveByKey(key),
    accept,
    skip: () => desk.skip(),
    undo: () => desk.undo(),
    unlabel: () => desk.unlabel(),
    move: (step) => deck.move(step),
    search: () => views.search.focus(),
    newClass: () => classes.field.focus(),
    lasso: toggleLasso,
    help: showHelp,
    escape: () => {
      if (map.selection.length) desk.letGo();
      else if (deck.view === "search") show("next", null);
      toCards();
    },
  },
  anyOpen,
);
for (const [id, done] of Object.entries({
  accept,
  skip: () => desk.skip(),
  unlabel: () => desk.unlabel(),
  undo: () => desk.undo(),
})) {
  byId(id, HTMLButtonElement).addEventListener("click", (event) => {
    done();
    if (event.detail > 0) toCards();
  });
}
pressed(byId("lasso", HTMLElement), toggleLasso);
pressed(byId("nearer", HTMLElement), () => gestures.zoom(1.5));
pressed(byId("farther", HTMLElement), () => gestures.zoom(1 / 1.5));
pressed(byId("whole", HTMLElement), () => gestures.reset());
pressed(byId("help-button", HTMLElement), showHelp);
pressed(byId("save", HTMLElement), async () => {
  try {
    say(`Saved to ${(await postSave()).saved}.`);
  } catch (error) {
    say(/** @type {Error} */ (error).message);
  }
});
prepareDialogs();
closeByItself(byId("export", HTMLDetailsElement));

/** Names behind the codes of the labels that the map shows. @type {string[]} */
let shownNames = [];

const places = latest(async () => {
  const fetched = await fetchMap();
  while (gestures.drawing) await new Promise((resolve) => setTimeout(resolve, 50));
  map.setPlaces(fetched.places, fetched.version);
});
const labels = latest(async () => {
  const { version, packed } = await fetchPoints();
  shownNames = store.server?.classes.map(({ name }) => name) ?? [];
  drawMapClasses();
  map.setLabels(packed, version);
  const { server } = store;
  if (server && !server.solving && !server.stale && version === server.version) news.tell(packed, shownNames);
});
const confidence = latest(() => slider.refresh());

/** What the map shows already. */
let mapped = { classes: "", given: "" };

function drawMapClasses() {
  const names = shownNames.map((name) => store.resolve(name));
  names.push(...store.names.filter((name) => !names.includes(name)));
  const bySlot = [-1, ...names.map((name) => slots.of(name))];
  const codes = new Map(names.map((name, place) => [name, place + 1]));
  /** @type {[number, number][]} */
  const given = [...store.given].map(([node, name]) => [node, codes.get(name) ?? 0]);
  const drawn = { classes: JSON.stringify([names, bySlot, ground()]), given: JSON.stringify(given) };
  if (drawn.classes !== mapped.classes) map.setClasses(bySlot, (code) => names[code - 1] ?? null);
  if (drawn.given !== mapped.given) map.setGiven(given);
  mapped = drawn;
}

let seen = { map: 0, labels: "", seq: -1 };

/** Fetch what a new state says has changed. @param {import("./types.js").ServerState} state */
function follow(state) {
  const now = { map: state.map, labels: JSON.stringify([state.version, state.classes.map(({ name }) => name)]), seq: state.seq };
  const before = seen;
  seen = now;
  if (now.map && now.map !== before.map) places();
  if (now.labels !== before.labels) {
    if (state.version) labels();
    confidence();
    if (checking.active) void checking.refresh();
  }
  // what to ask next comes after the answer, and has no number of its own
  if (now.labels !== before.labels || deck.view === "next" || deck.cards.length === 0) void deck.refresh();
}

let due = false;
function draw() {
  if (due) return;
  due = true;
  queueMicrotask(() => {
    due = false;
    drawAll();
  });
}

function drawAll() {
  const { server } = store;
  if (!server) return drawStatus(store, connection);
  const rows = new Map(server.classes.map((row) => [row.name, row]));
  const sorted = slots.sorted(store.names);
  /** @type {Map<string, number>} */
  const given = new Map();
  for (const name of store.given.values()) given.set(name, (given.get(name) ?? 0) + 1);
  classes.draw(sorted.map((name) => ({ name, given: given.get(name) ?? 0, total: rows.get(name)?.total ?? given.get(name) ?? 0 })));
  views.draw(deck.view, deck.className, sorted);
  drawCards();
  drawStatus(store, connection);
  const canAct = !checking.active && !map.selection.length && deck.current !== null;
  byId("focus-actions", HTMLElement).hidden = !canAct;
  const labelled = deck.current !== null && store.given.has(deck.current.node);
  byId("unlabel", HTMLElement).hidden = !labelled;
  byId("accept", HTMLElement).hidden = labelled && deck.current?.instead === null;
  byId("deck-head", HTMLElement).hidden = checking.active;
  byId("no-map", HTMLElement).hidden = map.works;
}

function drawCards() {
  const card = checking.active ? checking.card : deck.current;
  const given = card ? (store.given.get(card.node) ?? null) : null;
  if (map.selection.length) focus.selection(map.selection, map.packed, (code) => store.nameOf(code));
  else if (card) focus.card(card, checking.active ? null : given, checking.active);
  else if (store.server?.stage) focus.nothing("One moment.", "The first card comes when the graph is made.");
  else if (deck.view === "next" && store.server?.stale) focus.nothing("One moment.", "What to ask next is being worked out.");
  else if (checking.active ? !checking.told : !deck.loaded) focus.nothing("…");
  else focus.nothing(EMPTY[deck.view]);
  map.setCurrent(checking.active || map.selection.length ? -1 : (card?.node ?? -1));
  focus.prepare(deck.cards.slice(deck.index, deck.index + READY));
  cardList.draw(deck.cards, deck.index, store.given);
  byId("deck-title", HTMLElement).textContent = TITLES[deck.view];
  byId("deck-count", HTMLElement).textContent = deck.view === "next" || checking.active ? "" : deck.counted;
  const summary = byId("summary", HTMLElement);
  summary.hidden = !checking.active;
  summary.textContent = checking.active ? checking.summary : "";
}

store.addEventListener("change", () => {
  slots.settle(store.names, store.slots);
  drawMapClasses();
  draw();
});
deck.addEventListener("change", draw);
deck.addEventListener("trouble", (event) => say(/** @type {CustomEvent} */ (event).detail));
checking.addEventListener("change", draw);
connection.addEventListener("change", draw);
connection.addEventListener("state", (event) => {
  const state = /** @type {CustomEvent} */ (event).detail;
  store.take(state);
  follow(state);
});
store.outbox.addEventListener("trouble", draw);
store.outbox.addEventListener("refused", (event) => {
  say(/** @type {CustomEvent} */ (event).detail.sentence);
  void deck.refresh();
});
store.outbox.addEventListener("sent", (event) => {
  const { kind } = /** @type {CustomEvent} */ (event).detail.entry.action;
  if (kind !== "label" && kind !== "skip") void deck.refresh();
});
onSchemeChange(() => {
  focus.forget();
  cardList.forget();
  classes.forget();
  drawMapClasses();
  draw();
});
window.addEventListener("beforeunload", (event) => {
  if (store.unsent) event.preventDefault();
});
connection.open();
if (window.parent === window) toCards();
