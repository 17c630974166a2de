/** The words around the work: counts, what is being worked out, what went wrong. */

import { byId } from "./dom.js";
import { counted, setName, visible } from "./text.js";

/** Say a sentence at the foot of the page; it is read out too. @param {string} sentence */
export function say(sentence) {
  byId("status", HTMLElement).textContent = visible(sentence);
}

/** @param {import("./store.js").Store} store @param {import("./connection.js").Connection} connection */
export function drawStatus(store, connection) {
  drawAlarm(store, connection);
  const { server } = store;
  if (!server) return;
  document.title = `${visible(server.title).slice(0, 80)} · fewlabels`;
  setName(byId("title", HTMLElement), server.title, 60);
  const checked = server.checked.length ? `, ${server.checked.length.toLocaleString("en")} checked` : "";
  byId("counts", HTMLElement).textContent = `${counted(server.n, "point")}, ${store.given.size.toLocaleString("en")} labelled${checked}`;
  byId("map", HTMLElement).ariaLabel = `Map of ${counted(server.n, "point")}, ${store.given.size} labelled`;
  const working = server.stage === null && (server.solving || server.stale || store.unsent > 0);
  byId("solving", HTMLElement).hidden = !working;
  byId("undo", HTMLButtonElement).disabled = !store.canUndo;
  const save = byId("save", HTMLElement);
  save.hidden = server.out === null;
  if (server.out !== null) setName(save, `Save ${server.out}`, 40);
  const message = byId("message", HTMLElement);
  message.hidden = !server.message;
  const told = visible(server.message ?? "");
  if (message.textContent !== told) message.textContent = told;
  drawStage(server.stage);
}

/** @param {import("./types.js").ServerState["stage"]} stage */
function drawStage(stage) {
  byId("stage", HTMLElement).hidden = stage === null;
  if (!stage) return;
  byId("stage-what", HTMLElement).textContent = `${stage.what[0].toUpperCase()}${stage.what.slice(1)}`;
  byId("stage-done", HTMLProgressElement).value = stage.done;
}

/** @param {import("./store.js").Store} store @param {import("./connection.js").Connection} connection */
function drawAlarm(store, connection) {
  const { trouble } = store.outbox;
  const waiting = store.unsent;
  const gone = connection.alive === false;
  let sentence = "";
  if (gone || trouble) {
    sentence = gone || trouble === null ? "The server does not answer." : trouble;
    if (waiting) sentence += ` ${counted(waiting, "answer waits", "answers wait")} here and will be sent when it is back.`;
    sentence += window.parent === window ? " If you started it again, open the address it printed." : " If the kernel was started again, run the cell again.";
  }
  const alarm = byId("alarm", HTMLElement);
  alarm.hidden = !sentence;
  if (alarm.textContent !== sentence) alarm.textContent = sentence;
}
