/** The map: places, labels, what is picked out, and drawing it all when something has changed. */

import { Camera } from "./camera.js";
import { groundColour, onSchemeChange } from "./colours.js";
import { middles } from "./hits.js";
import { Overlay } from "./overlay.js";
import { Painter } from "./painter.js";
import { short } from "./text.js";

const MOST_NAMES = 40;
/** Milliseconds after which a new ring is drawn: all points are drawn with it, and keys come fast. */
const RINGS = 120;
/** The same where drawing takes long: the answer draws all points anyway, and needs the same cores until then. */
const RINGS_AT_LEISURE = 1500;
/** Milliseconds from which on drawing all points takes long. */
const LONG = 100;
const NO_PLACES = new Float32Array(0);
const NO_LABELS = new Uint16Array(0);

export class PointMap {
  camera = new Camera();
  /** @type {Float32Array} */
  places = NO_PLACES;
  /** @type {Uint16Array} */
  packed = NO_LABELS;
  /** Confidence below which points are faded. */
  least = 0;
  /** @type {number[]} */
  selection = [];
  /** @type {import("./overlay.js").Scene} */
  scene = { names: [], line: [], hovered: null, current: null, brush: null };
  #current = -1;
  /** @type {[number, number][]} */
  #given = [];
  /** @type {number[]} */
  #slots = [-1];
  /** @type {(code: number) => string | null} */
  #nameOf = () => null;
  #version = 0;
  /** @type {ReturnType<typeof middles>} */
  #middles = [];
  #due = { points: false, over: false };
  #timer = 0;
  /** How long the drawing that is due waits, in milliseconds; null if none is due. @type {number | null} */
  #waits = null;
  /** How long the points last took to draw, in milliseconds. */
  #took = 0;
  /** @type {Painter | null} */
  #painter = null;

  /** @param {HTMLCanvasElement} canvas @param {HTMLCanvasElement} over */
  constructor(canvas, over) {
    this.canvas = canvas;
    this.overlay = new Overlay(over);
    this.#begin();
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => {
      this.#begin();
      this.#again();
    });
    onSchemeChange(() => this.#again());
    new ResizeObserver(() => this.#fit()).observe(canvas);
  }

  get works() {
    return this.#painter !== null;
  }

  #begin() {
    try {
      this.#painter = new Painter(this.canvas);
    } catch (error) {
      this.#painter = null;
      console.warn("The map is not drawn:", error);
    }
  }

  /** Send everything to the graphics card again. */
  #again() {
    this.#painter?.setPalette(this.#slots);
    if (this.places.length) this.#painter?.setPlaces(this.places);
    if (this.packed.length) this.#painter?.setLabels(this.packed);
    this.setGiven(this.#given);
    this.select(this.selection);
  }

  #fit() {
    const { clientWidth, clientHeight } = this.canvas;
    const dense = Math.min(2, window.devicePixelRatio || 1);
    this.camera.width = Math.max(1, clientWidth);
    this.camera.height = Math.max(1, clientHeight);
    for (const layer of [this.canvas, this.overlay.canvas]) {
      layer.width = Math.round(this.camera.width * dense);
      layer.height = Math.round(this.camera.height * dense);
    }
    this.#paint();
  }

  /** @param {Float32Array} places @param {number} version */
  setPlaces(places, version) {
    this.places = places;
    this.canvas.dataset.map = String(version);
    this.#painter?.setPlaces(places);
    if (this.packed.length * 2 === places.length) this.#painter?.setLabels(this.packed);
    this.#findMiddles();
    this.setGiven(this.#given);
    this.select(this.selection);
    this.setCurrent(this.#current);
  }

  /** @param {Uint16Array} packed @param {number} version */
  setLabels(packed, version) {
    this.packed = packed;
    this.#version = version;
    if (packed.length * 2 === this.places.length) this.#painter?.setLabels(packed);
    this.#findMiddles();
    this.#drawLater();
  }

  /** @param {number[]} slots  of each code @param {(code: number) => string | null} nameOf */
  setClasses(slots, nameOf) {
    this.#nameOf = nameOf;
    this.#slots = slots;
    this.#painter?.setPalette(slots);
    this.#nameClasses();
    this.#drawLater();
  }

  #findMiddles() {
    if (this.packed.length * 2 !== this.places.length) return;
    this.#middles = middles(this.places, this.packed, MOST_NAMES);
    this.#nameClasses();
  }

  #nameClasses() {
    this.scene.names = this.#middles.map(({ code, x, y }) => ({ text: short(this.#nameOf(code) ?? "", 24), x, y }));
  }

  /** @param {[number, number][]} given  node and code */
  setGiven(given) {
    this.#given = given;
    const there = given.filter(([node]) => 2 * node + 1 < this.places.length);
    const packed = new Uint16Array(there.map(([, code]) => (code << 4) | 15));
    this.#painter?.setHandful(this.#painter.given, this.#placesOf(there.map(([node]) => node)), packed);
    this.#drawLater(this.#took > LONG ? RINGS_AT_LEISURE : RINGS);
  }

  /** @param {number[]} nodes */
  select(nodes) {
    this.selection = nodes;
    this.#painter?.setHandful(this.#painter.selected, this.#placesOf(nodes), new Uint16Array(nodes.length));
    this.draw();
  }

  /** @param {number} node  -1 for none */
  setCurrent(node) {
    this.#current = node;
    this.scene.current = this.placeOf(node);
    this.drawOver();
  }

  /** @param {number} node @returns {[number, number] | null} */
  placeOf(node) {
    return node >= 0 && 2 * node + 1 < this.places.length ? [this.places[2 * node], this.places[2 * node + 1]] : null;
  }

  /** @param {number[]} nodes */
  #placesOf(nodes) {
    const places = new Float32Array(2 * nodes.length);
    nodes.forEach((node, k) => places.set(this.placeOf(node) ?? [NaN, NaN], 2 * k));
    return places;
  }

  /** How far from a point the pointer may be to mean it, on the plane. */
  get reach() {
    return Math.max(10, this.#painter?.pointSize(this.camera) ?? 0) / this.camera.scale;
  }

  /** Draw everything in the next frame. */
  draw() {
    if (this.#due.points) return;
    this.#due.points = true;
    requestAnimationFrame(() => {
      this.#due.points = false;
      this.#paint();
    });
  }

  /** Draw everything once the cards are painted and no more changes come: the cards are first. What is due sooner stays so. */
  #drawLater(pause = 0) {
    if (this.#waits !== null && this.#waits < pause) return;
    this.#waits = pause;
    clearTimeout(this.#timer);
    requestAnimationFrame(() => {
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => {
        this.#waits = null;
        this.draw();
      }, this.#waits ?? 0);
    });
  }

  /** Draw what lies over the points, which costs little. */
  drawOver() {
    if (this.#due.over || this.#due.points) return;
    this.#due.over = true;
    requestAnimationFrame(() => {
      this.#due.over = false;
      this.overlay.draw(this.camera, this.scene);
    });
  }

  #paint() {
    const begun = performance.now();
    requestAnimationFrame(() => requestAnimationFrame((now) => (this.#took = now - begun)));
    const gliding = this.#painter?.draw(this.camera, this.least) ?? false;
    this.overlay.draw(this.camera, this.scene);
    const { centre, scale } = this.camera;
    this.canvas.dataset.view = [centre.x, centre.y, scale].join(" ");
    this.canvas.dataset.version = String(this.#version);
    this.canvas.style.backgroundColor = groundColour();
    if (gliding) this.draw();
  }
}
