/** The two programs of the map. Colours are looked up by class in a texture; its alpha holds the shape. */

const LOOK_UP = `
uniform highp sampler2D uPalette;
uniform vec3 uFaded;
uniform float uLeast;
vec4 look(uint packed) {
  uint code = packed >> 4u;
  float level = float(packed & 15u) / 15.0;
  vec4 own = texelFetch(uPalette, ivec2(int(code), 0), 0);
  float sure = code == 0u ? 0.0 : (level < uLeast ? 0.0 : 0.25 + 0.75 * level);
  return vec4(mix(uFaded, own.rgb, sure), code == 0u ? 0.0 : own.a);
}`;

const PLACE = `
uniform vec2 uCentre;
uniform vec2 uScale;
vec4 place(vec2 at) { return vec4((at - uCentre) * uScale, 0.0, 1.0); }`;

/** Distance from the edge of a shape within the unit square around 0; negative inside. */
const SHAPE = `
float edge(vec2 p, int shape) {
  if (shape == 1) return max(abs(p.x), abs(p.y)) - 0.72;
  if (shape == 2) return max(abs(p.x) * 0.87 + p.y * 0.5, -p.y) - 0.5;
  if (shape == 3) return (abs(p.x) + abs(p.y)) * 0.71 - 0.66;
  if (shape == 4) return max(min(abs(p.x), abs(p.y)) - 0.3, max(abs(p.x), abs(p.y)) - 0.9);
  if (shape == 5) return max(abs(p.x) * 0.87 - p.y * 0.5, p.y) - 0.5;
  return length(p) - 0.8;
}`;

export const POINTS_VERTEX = `#version 300 es
precision highp float;
precision highp int;
in vec2 aPlace;
in vec2 aPlaceBefore;
in uint aPacked;
in uint aPackedBefore;
uniform float uMoved;
uniform float uTurned;
uniform float uSize;
out vec3 vColour;
flat out int vShape;
${LOOK_UP}
${PLACE}
void main() {
  vec4 now = look(aPacked);
  vec4 before = look(aPackedBefore);
  vColour = mix(before.rgb, now.rgb, uTurned);
  vShape = int(now.a * 255.0 + 0.5);
  gl_Position = place(mix(aPlaceBefore, aPlace, uMoved));
  gl_PointSize = uSize;
}`;

export const POINTS_FRAGMENT = `#version 300 es
precision highp float;
precision highp int;
in vec3 vColour;
flat in int vShape;
uniform float uSize;
out vec4 colour;
${SHAPE}
void main() {
  vec2 p = gl_PointCoord * 2.0 - 1.0;
  p.y = -p.y;
  float gap = edge(p, uSize < 5.0 ? 0 : vShape) * uSize * 0.5;
  float cover = uSize < 3.0 ? 1.0 : clamp(0.5 - gap, 0.0, 1.0);
  if (cover <= 0.0) discard;
  colour = vec4(vColour * cover, cover);
}`;

export const RINGS_VERTEX = `#version 300 es
precision highp float;
precision highp int;
in vec2 aPlace;
in uint aPacked;
uniform float uSize;
out vec3 vColour;
${LOOK_UP}
${PLACE}
void main() {
  vColour = look(aPacked).rgb;
  gl_Position = place(aPlace);
  gl_PointSize = uSize;
}`;

/** A disc in the class's colour (or nothing, for a selection), a gap in the ground's colour, and a ring. */
export const RINGS_FRAGMENT = `#version 300 es
precision highp float;
in vec3 vColour;
uniform float uSize;
uniform float uFilled;
uniform vec3 uRing;
uniform vec3 uGround;
out vec4 colour;
void main() {
  float r = length(gl_PointCoord * 2.0 - 1.0) * uSize * 0.5;
  float outer = uSize * 0.5 - 1.0;
  float cover = clamp(outer - r + 0.5, 0.0, 1.0);
  if (uFilled < 0.5) cover *= clamp(r - outer + 1.5, 0.0, 1.0);
  if (cover <= 0.0) discard;
  vec3 inside = mix(vColour, uGround, clamp(r - outer + 3.5, 0.0, 1.0));
  vec3 shown = mix(inside, uRing, clamp(r - outer + 2.5, 0.0, 1.0));
  colour = vec4(shown * cover, cover);
}`;
