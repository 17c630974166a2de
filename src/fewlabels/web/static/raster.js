/** Points as pixels: where no graphics card draws, setting the pixels of small points one by one is far quicker than WebGL. */

/** What programs that do a graphics card's work call themselves. */
const IN_SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;
const LEVELS = 16;
const FIRST_SURE = 0.25;

/** Whether WebGL is done by the processor. @param {WebGL2RenderingContext} gl */
export function isInSoftware(gl) {
  const told = gl.getExtension("WEBGL_debug_renderer_info");
  return told !== null && IN_SOFTWARE.test(String(gl.getParameter(told.UNMASKED_RENDERER_WEBGL)));
}

/** Red, green and blue from 0 to 1 as one number, in the order in which bytes lie in memory. @param {number[]} rgb */
function pixel(rgb) {
  const [r, g, b] = rgb.map((c) => Math.round(255 * c));
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

/**
 * The colour of every pair of class and confidence, as the map's program has it.
 * @param {number[][]} palette  of each code @param {number[]} faded @param {number} least  confidence below which points are faded
 */
function looks(palette, faded, least) {
  const found = new Uint32Array(LEVELS * palette.length);
  palette.forEach((own, code) => {
    for (let level = 0; level < LEVELS; level += 1) {
      const share = level / (LEVELS - 1);
      const sure = code === 0 || share < least ? 0 : FIRST_SURE + (1 - FIRST_SURE) * share;
      found[LEVELS * code + level] = pixel(own.map((c, k) => faded[k] + sure * (c - faded[k])));
    }
  });
  return found;
}

export class Raster {
  #width = 0;
  #height = 0;
  #pixels = new Uint32Array(0);

  /** @param {WebGL2RenderingContext} gl */
  constructor(gl) {
    this.gl = gl;
    this.frame = gl.createFramebuffer();
    this.picture = gl.createTexture();
  }

  /**
   * Draw the points, and the ground behind them.
   * @param {import("./camera.js").Camera} camera @param {number} size  of a point, in pixels of the canvas
   * @param {Float32Array} places @param {Uint16Array} packed
   * @param {{palette: number[][], faded: number[], ground: number[], least: number}} colours
   */
  draw(camera, size, places, packed, colours) {
    this.#fit();
    this.#pixels.fill(pixel(colours.ground));
    this.#set(camera, size, places, packed, looks(colours.palette, colours.faded, colours.least));
    this.#show();
  }

  #fit() {
    const { gl } = this;
    const { width, height } = gl.canvas;
    if (width === this.#width && height === this.#height) return;
    [this.#width, this.#height] = [width, height];
    this.#pixels = new Uint32Array(width * height);
    gl.bindTexture(gl.TEXTURE_2D, this.picture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
  }

  /** @param {import("./camera.js").Camera} camera @param {number} size @param {Float32Array} places @param {Uint16Array} packed @param {Uint32Array} look */
  #set(camera, size, places, packed, look) {
    const pixels = this.#pixels;
    const width = this.#width;
    const scale = (camera.scale * width) / camera.width;
    const side = Math.max(1, Math.round(size));
    const [right, top] = [width - side, this.#height - side];
    const left = width / 2 - side / 2 - camera.centre.x * scale + 0.5;
    const low = this.#height / 2 - side / 2 - camera.centre.y * scale + 0.5;
    for (let node = 0; node < packed.length; node += 1) {
      const x = Math.floor(left + scale * places[2 * node]);
      const y = Math.floor(low + scale * places[2 * node + 1]);
      if (x < 0 || y < 0 || x > right || y > top) continue;
      const colour = look[packed[node]];
      for (let row = y * width + x, last = row + side * width; row < last; row += width) {
        for (let at = row; at < row + side; at += 1) pixels[at] = colour;
      }
    }
  }

  #show() {
    const { gl } = this;
    const [width, height] = [this.#width, this.#height];
    gl.bindTexture(gl.TEXTURE_2D, this.picture);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(this.#pixels.buffer));
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, this.frame);
    gl.framebufferTexture2D(gl.READ_FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.picture, 0);
    gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT, gl.NEAREST);
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, null);
  }
}
