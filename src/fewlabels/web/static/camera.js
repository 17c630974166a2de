/** Which part of the plane is seen: a centre, and pixels per unit. */

const NEAREST = 400;
const MARGIN = 0.94;

export class Camera {
  centre = { x: 0, y: 0 };
  zoom = 1;
  width = 1;
  height = 1;

  /** Pixels per unit of the plane; the square [-1, 1] x [-1, 1] fits at zoom 1. */
  get scale() {
    return (MARGIN * Math.min(this.width, this.height) * this.zoom) / 2;
  }

  /** @param {number} x @param {number} y  of the plane @returns {[number, number]} pixels */
  toScreen(x, y) {
    return [this.width / 2 + (x - this.centre.x) * this.scale, this.height / 2 - (y - this.centre.y) * this.scale];
  }

  /** @param {number} px @param {number} py @returns {[number, number]} */
  toPlane(px, py) {
    return [this.centre.x + (px - this.width / 2) / this.scale, this.centre.y - (py - this.height / 2) / this.scale];
  }

  /** @param {number} dx @param {number} dy  pixels */
  pan(dx, dy) {
    this.centre.x = Math.max(-1.5, Math.min(1.5, this.centre.x - dx / this.scale));
    this.centre.y = Math.max(-1.5, Math.min(1.5, this.centre.y + dy / this.scale));
  }

  /** Zoom about a pixel, which stays where it is. @param {number} factor @param {number} px @param {number} py */
  zoomBy(factor, px, py) {
    const [x, y] = this.toPlane(px, py);
    this.zoom = Math.max(0.7, Math.min(NEAREST, this.zoom * factor));
    const [nowX, nowY] = this.toPlane(px, py);
    this.centre.x += x - nowX;
    this.centre.y += y - nowY;
  }

  reset() {
    this.centre = { x: 0, y: 0 };
    this.zoom = 1;
  }
}
