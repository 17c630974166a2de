/** Questions that stop everything else: label many, change a class, help. */

import { byId, make } from "./dom.js";
import { setName } from "./text.js";

export const anyOpen = () => document.querySelector("dialog[open]") !== null;

/** @param {HTMLDialogElement} dialog @returns {Promise<string>} the value of the button that closed it, "" for Escape */
function answered(dialog) {
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true }));
}

/** @param {number} count @param {string} name @param {number} relabelled  how many of them have another label now */
export async function confirmMany(count, name, relabelled) {
  const dialog = byId("many", HTMLDialogElement);
  const question = byId("many-question", HTMLElement);
  question.replaceChildren(`Label ${count.toLocaleString("en")} points as “`, setName(make("bdi"), name, 60), "”?");
  const warning = byId("many-warning", HTMLElement);
  warning.textContent = relabelled ? `${relabelled.toLocaleString("en")} of them have another label, which this replaces.` : "";
  return (await answered(dialog)) === "yes";
}

/**
 * @param {string} name @param {string[]} others
 * @returns {Promise<{what: "rename" | "merge" | "show" | "", name: string}>}
 */
export async function editClass(name, others) {
  const dialog = byId("class-dialog", HTMLDialogElement);
  const field = byId("class-name", HTMLInputElement);
  const into = byId("class-into", HTMLSelectElement);
  setName(byId("class-title", HTMLElement), name, 60);
  field.value = name;
  into.replaceChildren(
    ...others.map((other) => {
      const option = setName(make("option"), other, 48);
      option.value = other;
      return option;
    }),
  );
  byId("class-merge", HTMLElement).hidden = others.length === 0;
  const closed = answered(dialog);
  field.select();
  const what = await closed;
  if (what === "rename") return { what, name: field.value.trim() };
  if (what === "merge") return { what, name: into.value };
  return { what: what === "show" ? what : "", name };
}

export function showHelp() {
  void answered(byId("help", HTMLDialogElement));
}

/** Forms of dialogs close them with the pressed button's value; no address is ever visited. */
export function prepareDialogs() {
  for (const dialog of document.querySelectorAll("dialog")) {
    for (const button of dialog.querySelectorAll("button")) {
      button.addEventListener("click", () => dialog.close(button.value));
    }
    dialog.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement)) return;
      event.preventDefault();
      event.target.closest("fieldset")?.querySelector("button")?.click();
    });
  }
}
