/** Points on the graphics card: places once, then two bytes a point for every change. */

import { channels, colourOf, fadedColour, groundColour, shapeOf } from "./colours.js";
import { isInSoftware, Raster } from "./raster.js";
import { POINTS_FRAGMENT, POINTS_VERTEX, RINGS_FRAGMENT, RINGS_VERTEX } from "./shaders.js";

const MOST_CLASSES = 4096;
/** Up to this many points, places and colours glide instead of jumping. */
const GLIDING = 200_000;
const GLIDE = 280;
/** Where frames are so many milliseconds apart, the next changes do not glide: a card would have to wait for each frame. */
const SLOW = 40;
const WITHOUT_GLIDING = 20;
/** Points of fewer pixels across, as the page counts them, are little squares, whatever their class. */
const SMALL = 3;

/** @param {WebGL2RenderingContext} gl @param {string} vertex @param {string} fragment @param {string[]} attributes */
function program(gl, vertex, fragment, attributes) {
  const made = gl.createProgram();
  for (const [kind, source] of /** @type {[number, string][]} */ ([[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]])) {
    const shader = /** @type {WebGLShader} */ (gl.createShader(kind));
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  attributes.forEach((name, place) => gl.bindAttribLocation(made, place, name));
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(String(gl.getProgramInfoLog(made)));
  return made;
}

/** A few places with their labels: rings and selections. */
class Handful {
  /** @param {WebGL2RenderingContext} gl */
  constructor(gl) {
    this.places = gl.createBuffer();
    this.packed = gl.createBuffer();
    this.count = 0;
  }
}

export class Painter {
  #n = 0;
  #glide = { moved: 1, turned: 1, since: 0, begun: false };
  /** Changes that will not glide. */
  #still = 0;
  /** @type {Float32Array} */
  #places = new Float32Array(0);
  /** @type {Uint16Array} */
  #packed = new Uint16Array(0);
  /** The colour of each code. @type {number[][]} */
  #colours = [];

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    const gl = canvas.getContext("webgl2", { antialias: false, alpha: false, powerPreference: "high-performance" });
    if (!gl) throw new Error("no WebGL2");
    this.canvas = canvas;
    this.gl = gl;
    this.points = program(gl, POINTS_VERTEX, POINTS_FRAGMENT, ["aPlace", "aPlaceBefore", "aPacked", "aPackedBefore"]);
    this.ringed = program(gl, RINGS_VERTEX, RINGS_FRAGMENT, ["aPlace", "aPlaceUnused", "aPacked"]);
    this.place = { now: gl.createBuffer(), before: gl.createBuffer() };
    this.packed = { now: gl.createBuffer(), before: gl.createBuffer() };
    this.given = new Handful(gl);
    this.selected = new Handful(gl);
    this.palette = gl.createTexture();
    this.raster = isInSoftware(gl) ? new Raster(gl) : null;
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  /** @param {"moved" | "turned"} what */
  #start(what) {
    const still = this.raster !== null || this.#still > 0 || this.#n > GLIDING || window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#still = Math.max(0, this.#still - 1);
    this.#glide[what] = still ? 1 : 0;
    this.#glide.since = performance.now();
    this.#glide.begun = false;
  }

  /** @param {{now: WebGLBuffer, before: WebGLBuffer}} pair @param {ArrayBufferView} data @param {boolean} fresh */
  #fill(pair, data, fresh) {
    const { gl } = this;
    [pair.now, pair.before] = [pair.before, pair.now];
    gl.bindBuffer(gl.ARRAY_BUFFER, pair.now);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    if (!fresh) return;
    gl.bindBuffer(gl.ARRAY_BUFFER, pair.before);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
  }

  /** @param {Float32Array} places */
  setPlaces(places) {
    const fresh = places.length / 2 !== this.#n;
    this.#n = places.length / 2;
    this.#places = places;
    this.#fill(this.place, places, fresh);
    if (fresh) this.#packed = new Uint16Array(this.#n);
    if (fresh) this.#fill(this.packed, this.#packed, true);
    if (!fresh) this.#start("moved");
  }

  /** @param {Uint16Array} packed */
  setLabels(packed) {
    this.#packed = packed;
    this.#fill(this.packed, packed, false);
    this.#start("turned");
  }

  /** @param {Handful} handful @param {Float32Array} places @param {Uint16Array} packed */
  setHandful(handful, places, packed) {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, handful.places);
    gl.bufferData(gl.ARRAY_BUFFER, places, gl.DYNAMIC_DRAW);
    gl.bindBuffer(gl.ARRAY_BUFFER, handful.packed);
    gl.bufferData(gl.ARRAY_BUFFER, packed, gl.DYNAMIC_DRAW);
    handful.count = packed.length;
  }

  /** @param {number[]} slots  the slot of each code, code 0 first */
  setPalette(slots) {
    const { gl } = this;
    const texels = new Uint8Array(4 * MOST_CLASSES);
    const used = slots.slice(0, MOST_CLASSES);
    this.#colours = used.map((slot) => channels(slot < 0 ? fadedColour() : colourOf(slot)));
    used.forEach((slot, code) => {
      texels.set([...this.#colours[code].map((c) => Math.round(255 * c)), slot < 0 ? 0 : shapeOf(slot)], 4 * code);
    });
    gl.bindTexture(gl.TEXTURE_2D, this.palette);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, MOST_CLASSES, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  }

  /** Pixels across one point: less when there are many, more when one looks closely. @param {import("./camera.js").Camera} camera */
  pointSize(camera) {
    const room = Math.sqrt((camera.width * camera.height) / Math.max(1, this.#n));
    return Math.max(1.5, Math.min(14, Math.min(7, 0.42 * room) * Math.sqrt(camera.zoom)));
  }

  /** @param {import("./camera.js").Camera} camera @param {number} least  confidence below which points are faded */
  draw(camera, least) {
    const { gl } = this;
    const dense = this.canvas.width / camera.width;
    const size = this.pointSize(camera) * dense;
    this.#step();
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(...channels(groundColour()), 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (this.raster && size < SMALL * dense) {
      const colours = { palette: this.#colours, faded: channels(fadedColour()), ground: channels(groundColour()), least };
      this.raster.draw(camera, size, this.#places, this.#packed, colours);
    } else this.#points(camera, size, least);
    gl.bindTexture(gl.TEXTURE_2D, this.palette);
    const ink = channels(groundColour()).map((c) => (c > 0.5 ? 0.08 : 0.97));
    this.#rings(this.selected, camera, Math.max(6, size / dense + 4) * dense, false, ink);
    this.#rings(this.given, camera, Math.max(14, size / dense + 8) * dense, true, ink);
    return this.#glide.moved < 1 || this.#glide.turned < 1;
  }

  /** @param {import("./camera.js").Camera} camera @param {number} size @param {number} least */
  #points(camera, size, least) {
    const { gl } = this;
    if (!this.#n) return;
    gl.bindTexture(gl.TEXTURE_2D, this.palette);
    this.#use(this.points, camera, size, least);
    gl.uniform1f(gl.getUniformLocation(this.points, "uMoved"), this.#glide.moved);
    gl.uniform1f(gl.getUniformLocation(this.points, "uTurned"), this.#glide.turned);
    this.#attribute(0, this.place.now, false);
    this.#attribute(1, this.place.before, false);
    this.#attribute(2, this.packed.now, true);
    this.#attribute(3, this.packed.before, true);
    gl.drawArrays(gl.POINTS, 0, this.#n);
  }

  #step() {
    const glide = this.#glide;
    const now = performance.now();
    const gone = (now - glide.since) / GLIDE;
    const slow = glide.begun && now - glide.since > SLOW && Math.min(glide.moved, glide.turned) < 1;
    if (slow) this.#still = WITHOUT_GLIDING;
    glide.since = now;
    glide.begun = true;
    glide.moved = slow ? 1 : Math.min(1, glide.moved + gone);
    glide.turned = slow ? 1 : Math.min(1, glide.turned + gone);
  }

  /** @param {Handful} handful @param {import("./camera.js").Camera} camera @param {number} size @param {boolean} filled @param {number[]} ink */
  #rings(handful, camera, size, filled, ink) {
    if (!handful.count) return;
    const { gl } = this;
    this.#use(this.ringed, camera, size, 0);
    gl.uniform1f(gl.getUniformLocation(this.ringed, "uFilled"), filled ? 1 : 0);
    gl.uniform3fv(gl.getUniformLocation(this.ringed, "uRing"), ink);
    gl.uniform3fv(gl.getUniformLocation(this.ringed, "uGround"), channels(groundColour()));
    this.#attribute(0, handful.places, false);
    this.#attribute(2, handful.packed, true);
    gl.disableVertexAttribArray(1);
    gl.disableVertexAttribArray(3);
    gl.drawArrays(gl.POINTS, 0, handful.count);
  }

  /** @param {WebGLProgram} used @param {import("./camera.js").Camera} camera @param {number} size @param {number} least */
  #use(used, camera, size, least) {
    const { gl } = this;
    gl.useProgram(used);
    gl.uniform2f(gl.getUniformLocation(used, "uCentre"), camera.centre.x, camera.centre.y);
    gl.uniform2f(gl.getUniformLocation(used, "uScale"), (2 * camera.scale) / camera.width, (2 * camera.scale) / camera.height);
    gl.uniform1f(gl.getUniformLocation(used, "uSize"), size);
    gl.uniform1f(gl.getUniformLocation(used, "uLeast"), least);
    gl.uniform3fv(gl.getUniformLocation(used, "uFaded"), channels(fadedColour()));
    gl.uniform1i(gl.getUniformLocation(used, "uPalette"), 0);
  }

  /** @param {number} place @param {WebGLBuffer} buffer @param {boolean} whole */
  #attribute(place, buffer, whole) {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(place);
    if (whole) gl.vertexAttribIPointer(place, 1, gl.UNSIGNED_SHORT, 2, 0);
    else gl.vertexAttribPointer(place, 2, gl.FLOAT, false, 8, 0);
  }
}
