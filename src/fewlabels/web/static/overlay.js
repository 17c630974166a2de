/** What is drawn over the points: names of classes, the lasso, the point under the pointer and the one on the card. */

import { groundColour } from "./colours.js";

/**
 * @typedef {object} Scene
 * @property {{text: string, x: number, y: number}[]} names
 * @property {[number, number][]} line  the lasso, in pixels
 * @property {[number, number] | null} hovered  of the plane
 * @property {[number, number] | null} current  of the plane
 * @property {number | null} brush  radius in pixels of the circle that the keyboard selects with
 */

const FONT = '600 13px system-ui, "Segoe UI", Roboto, sans-serif';
const NAMES_APART = 16;

export class Overlay {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.brush = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  }

  /** @param {import("./camera.js").Camera} camera @param {Scene} scene */
  draw(camera, scene) {
    const { brush } = this;
    const dense = this.canvas.width / camera.width;
    const ground = groundColour();
    const ink = getComputedStyle(this.canvas).color;
    brush.setTransform(dense, 0, 0, dense, 0, 0);
    brush.clearRect(0, 0, camera.width, camera.height);
    this.#names(camera, scene.names, ink, ground);
    if (scene.current) this.#target(camera.toScreen(...scene.current), ink, ground);
    if (scene.hovered) this.#circle(camera.toScreen(...scene.hovered), 9, ink, ground);
    if (scene.brush !== null) this.#circle([camera.width / 2, camera.height / 2], scene.brush, ink, ground, [5, 4]);
    this.#lasso(scene.line, ink, ground);
  }

  /** @param {import("./camera.js").Camera} camera @param {Scene["names"]} names @param {string} ink @param {string} ground */
  #names(camera, names, ink, ground) {
    const { brush } = this;
    brush.font = FONT;
    brush.textAlign = "center";
    brush.textBaseline = "middle";
    brush.lineJoin = "round";
    brush.direction = "ltr";
    /** @type {[number, number, number][]} */
    const written = [];
    for (const { text, x, y } of names) {
      const [px, py] = camera.toScreen(x, y);
      const half = brush.measureText(text).width / 2;
      if (written.some(([qx, qy, other]) => Math.abs(qy - py) < NAMES_APART && Math.abs(qx - px) < half + other + 4)) continue;
      written.push([px, py, half]);
      brush.lineWidth = 5;
      brush.strokeStyle = ground;
      brush.strokeText(text, px, py);
      brush.fillStyle = ink;
      brush.fillText(text, px, py);
    }
  }

  /** @param {[number, number]} at @param {number} radius @param {string} ink @param {string} ground @param {number[]} [dashes] */
  #circle([x, y], radius, ink, ground, dashes = []) {
    const { brush } = this;
    for (const [width, colour] of /** @type {[number, string][]} */ ([[5, ground], [2, ink]])) {
      brush.setLineDash(colour === ink ? dashes : []);
      brush.lineWidth = width;
      brush.strokeStyle = colour;
      brush.beginPath();
      brush.arc(x, y, radius, 0, 2 * Math.PI);
      brush.stroke();
    }
    brush.setLineDash([]);
  }

  /** A circle with four ticks: the point that the card is about. @param {[number, number]} at @param {string} ink @param {string} ground */
  #target([x, y], ink, ground) {
    const { brush } = this;
    this.#circle([x, y], 11, ink, ground);
    for (const [width, colour] of /** @type {[number, string][]} */ ([[5, ground], [2, ink]])) {
      brush.lineWidth = width;
      brush.strokeStyle = colour;
      brush.beginPath();
      for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
        brush.moveTo(x + 11 * dx, y + 11 * dy);
        brush.lineTo(x + 18 * dx, y + 18 * dy);
      }
      brush.stroke();
    }
  }

  /** @param {[number, number][]} line @param {string} ink @param {string} ground */
  #lasso(line, ink, ground) {
    if (line.length < 2) return;
    const { brush } = this;
    brush.beginPath();
    line.forEach(([x, y]) => brush.lineTo(x, y));
    brush.closePath();
    brush.lineWidth = 4;
    brush.strokeStyle = ground;
    brush.stroke();
    brush.lineWidth = 1.5;
    brush.strokeStyle = ink;
    brush.setLineDash([6, 4]);
    brush.stroke();
    brush.setLineDash([]);
  }
}
