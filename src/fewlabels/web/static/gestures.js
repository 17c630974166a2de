/** Hands on the map: drag to pan, wheel to zoom, lasso, hover, click; and the same by keyboard. */

import { circle, enclosed, nearest } from "./hits.js";

const CLICK = 4;
const STEP = 40;
const ZOOM = 1.25;
const BRUSH = 45;

/**
 * @typedef {object} Wishes  what the page wants to hear about
 * @property {(node: number, x: number, y: number) => void} hover  -1 for none; pixels
 * @property {(node: number) => void} pick
 * @property {(nodes: number[], add: boolean) => void} select
 */

export class Gestures {
  lasso = false;
  /** @type {Map<number, [number, number]>} */
  #fingers = new Map();
  #start = [0, 0];
  #moved = false;
  #hoverDue = false;

  /** @param {import("./map.js").PointMap} map @param {Wishes} wishes */
  constructor(map, wishes) {
    this.map = map;
    this.wishes = wishes;
    const { canvas } = map;
    canvas.addEventListener("pointerdown", (event) => this.#down(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    canvas.addEventListener("pointerup", (event) => this.#up(event));
    canvas.addEventListener("pointercancel", (event) => this.#cancel(event));
    canvas.addEventListener("pointerleave", () => this.#hover(-1, 0, 0));
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    canvas.addEventListener("keydown", (event) => this.#key(event));
    canvas.addEventListener("focus", () => this.#brush(canvas.matches(":focus-visible")));
    canvas.addEventListener("blur", () => this.#brush(false));
  }

  /** Whether a lasso is being drawn: points must stay where they are meanwhile. */
  get drawing() {
    return this.map.scene.line.length > 0;
  }

  /** @param {PointerEvent} event @returns {[number, number]} */
  #at(event) {
    const box = this.map.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button !== 0) return;
    this.map.canvas.setPointerCapture(event.pointerId);
    this.#fingers.set(event.pointerId, this.#at(event));
    this.#start = this.#at(event);
    this.#moved = false;
    // a second finger means to zoom, whatever the first had begun
    this.map.scene.line = (this.lasso || event.shiftKey) && this.#fingers.size === 1 ? [this.#at(event)] : [];
    this.#brush(false);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const { map } = this;
    const [x, y] = this.#at(event);
    const before = this.#fingers.get(event.pointerId);
    if (!before) {
      this.#look(x, y);
      return;
    }
    if (Math.hypot(x - this.#start[0], y - this.#start[1]) > CLICK) this.#moved = true;
    if (map.scene.line.length) {
      map.scene.line.push([x, y]);
    } else if (this.#fingers.size === 2) {
      this.#pinch(event.pointerId, before, [x, y]);
    } else if (this.#moved) {
      map.camera.pan(x - before[0], y - before[1]);
    }
    this.#fingers.set(event.pointerId, [x, y]);
    map.draw();
  }

  /** @param {number} moving @param {[number, number]} before @param {[number, number]} now */
  #pinch(moving, before, now) {
    const other = [...this.#fingers].find(([id]) => id !== moving)?.[1] ?? now;
    const grown = Math.hypot(now[0] - other[0], now[1] - other[1]) / Math.hypot(before[0] - other[0], before[1] - other[1]);
    if (Number.isFinite(grown) && grown > 0) this.map.camera.zoomBy(grown, ...other);
  }

  /** The system has taken the gesture for itself: nothing was meant. @param {PointerEvent} event */
  #cancel(event) {
    this.#fingers.delete(event.pointerId);
    this.map.scene.line = [];
    this.map.draw();
  }

  /** @param {PointerEvent} event */
  #up(event) {
    if (!this.#fingers.delete(event.pointerId)) return;
    const { map } = this;
    const line = map.scene.line.map(([x, y]) => map.camera.toPlane(x, y));
    const drawn = map.scene.line.length > 0;
    map.scene.line = [];
    map.draw();
    if (this.#moved && drawn) this.wishes.select(enclosed(map.places, line), event.ctrlKey || event.metaKey);
    if (this.#moved || this.#fingers.size) return;
    const node = nearest(map.places, ...map.camera.toPlane(...this.#at(event)), map.reach);
    if (node >= 0) this.wishes.pick(node);
  }

  /** @param {number} x @param {number} y */
  #look(x, y) {
    if (this.#hoverDue) return;
    this.#hoverDue = true;
    requestAnimationFrame(() => {
      this.#hoverDue = false;
      this.#hover(nearest(this.map.places, ...this.map.camera.toPlane(x, y), this.map.reach), x, y);
    });
  }

  /** @param {number} node @param {number} x @param {number} y */
  #hover(node, x, y) {
    this.map.scene.hovered = this.map.placeOf(node);
    this.map.drawOver();
    this.wishes.hover(node, x, y);
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    event.preventDefault();
    const box = this.map.canvas.getBoundingClientRect();
    const turned = event.deltaY * (event.deltaMode === 1 ? 16 : 1);
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    this.map.camera.zoomBy(Math.exp(-turned / 400), x, y);
    this.map.draw();
    this.#look(x, y);
  }

  /** @param {boolean} shown */
  #brush(shown) {
    this.map.scene.brush = shown ? BRUSH : null;
    if (!shown) this.#hover(-1, 0, 0);
    this.map.drawOver();
  }

  /** @param {number} factor */
  zoom(factor) {
    const { camera } = this.map;
    camera.zoomBy(factor, camera.width / 2, camera.height / 2);
    this.map.draw();
  }

  reset() {
    this.map.camera.reset();
    this.map.draw();
  }

  /** Arrows pan, + and - zoom, 0 shows all, Space selects what is in the circle. @param {KeyboardEvent} event */
  #key(event) {
    const { map } = this;
    const { camera } = map;
    const pans = { ArrowLeft: [STEP, 0], ArrowRight: [-STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] };
    const pan = pans[/** @type {keyof typeof pans} */ (event.key)];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (pan) camera.pan(pan[0], pan[1]);
    else if (event.key === "+" || event.key === "=") this.zoom(ZOOM);
    else if (event.key === "-") this.zoom(1 / ZOOM);
    else if (event.key === "0") this.reset();
    else if (event.key === " ") {
      const { x, y } = camera.centre;
      this.wishes.select(enclosed(map.places, circle(x, y, BRUSH / camera.scale)), event.shiftKey);
    } else return;
    event.preventDefault();
    event.stopPropagation();
    this.#brush(true);
    const middle = nearest(map.places, camera.centre.x, camera.centre.y, BRUSH / camera.scale);
    this.#hover(middle, camera.width / 2, camera.height / 2);
  }
}
