/**
 * The server's stream of states; says when it is gone and comes back by itself. Windows that nobody sees let go of it:
 * a browser opens six connections to one server at most, and labels need one too.
 */

const PAUSE = 1500;

export class Connection extends EventTarget {
  /** null before the first word. @type {boolean | null} */
  alive = null;

  /** @type {EventSource | null} */
  #source = null;

  constructor() {
    super();
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) return this.open();
      this.#source?.close();
      this.#source = null;
    });
  }

  open() {
    if (this.#source || document.hidden) return;
    const source = new EventSource("/api/events");
    this.#source = source;
    source.addEventListener("message", (event) => {
      this.#set(true);
      this.dispatchEvent(new CustomEvent("state", { detail: JSON.parse(event.data) }));
    });
    source.addEventListener("error", () => {
      this.#set(false);
      if (source.readyState !== EventSource.CLOSED) return;
      if (this.#source === source) this.#source = null;
      setTimeout(() => this.open(), PAUSE);
    });
  }

  /** @param {boolean} alive */
  #set(alive) {
    if (alive === this.alive) return;
    this.alive = alive;
    this.dispatchEvent(new CustomEvent("change"));
  }
}
