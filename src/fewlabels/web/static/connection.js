/** The server's stream of states; says when it is gone and comes back by itself. */

const PAUSE = 1500;

export class Connection extends EventTarget {
  /** null before the first word. @type {boolean | null} */
  alive = null;

  open() {
    const source = new EventSource("/api/events");
    source.addEventListener("message", (event) => {
      this.#set(true);
      this.dispatchEvent(new CustomEvent("state", { detail: JSON.parse(event.data) }));
    });
    source.addEventListener("error", () => {
      this.#set(false);
      if (source.readyState !== EventSource.CLOSED) return;
      source.close();
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
