/** Which points are meant: the nearest to a place, those inside a line drawn around them, and where a class is densest. */

/** @param {Float32Array} places @param {number} x @param {number} y @param {number} reach @returns {number} -1 for none */
export function nearest(places, x, y, reach) {
  let found = -1;
  let best = reach * reach;
  for (let i = 0; i < places.length; i += 2) {
    const dx = places[i] - x;
    const dy = places[i + 1] - y;
    const gap = dx * dx + dy * dy;
    if (gap < best) {
      best = gap;
      found = i >> 1;
    }
  }
  return found;
}

/** @param {[number, number][]} line @param {number} x @param {number} y */
function inside(line, x, y) {
  let within = false;
  for (let i = 0, j = line.length - 1; i < line.length; j = i++) {
    const [ax, ay] = line[i];
    const [bx, by] = line[j];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) within = !within;
  }
  return within;
}

/** @param {Float32Array} places @param {[number, number][]} line  of the plane, closed by itself @returns {number[]} */
export function enclosed(places, line) {
  if (line.length < 3) return [];
  const xs = line.map(([x]) => x);
  const ys = line.map(([, y]) => y);
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const found = [];
  for (let i = 0; i < places.length; i += 2) {
    const x = places[i];
    const y = places[i + 1];
    if (x >= left && x <= right && y >= low && y <= high && inside(line, x, y)) found.push(i >> 1);
  }
  return found;
}

/** @param {number} x @param {number} y @param {number} radius @returns {[number, number][]} */
export function circle(x, y, radius) {
  return Array.from({ length: 48 }, (_, k) => {
    const turn = (2 * Math.PI * k) / 48;
    return [x + radius * Math.cos(turn), y + radius * Math.sin(turn)];
  });
}

const CELLS = 24;

/**
 * Where to write each class's name: the middle of its points in the cell that has most of them in and around it, of equal
 * ones the one nearest to the mean of all.
 * @param {Float32Array} places @param {Uint16Array} packed @param {number} most  how many classes, largest first
 * @returns {{code: number, x: number, y: number, total: number}[]}
 */
export function middles(places, packed, most) {
  const totals = new Map();
  for (const value of packed) if (value >> 4) totals.set(value >> 4, (totals.get(value >> 4) ?? 0) + 1);
  const chosen = [...totals].sort((a, b) => b[1] - a[1]).slice(0, most);
  const row = new Map(chosen.map(([code], k) => [code, k]));
  const counts = new Uint32Array(chosen.length * CELLS * CELLS);
  const sums = new Float32Array(2 * counts.length);
  for (let i = 0; i < packed.length; i++) {
    const k = row.get(packed[i] >> 4);
    if (k === undefined) continue;
    const across = Math.min(CELLS - 1, Math.max(0, ((places[2 * i] + 1) / 2) * CELLS) | 0);
    const down = Math.min(CELLS - 1, Math.max(0, ((places[2 * i + 1] + 1) / 2) * CELLS) | 0);
    const cell = (k * CELLS + down) * CELLS + across;
    counts[cell]++;
    sums[2 * cell] += places[2 * i];
    sums[2 * cell + 1] += places[2 * i + 1];
  }
  return chosen.map(([code, total], k) => {
    const cells = Array.from({ length: CELLS * CELLS }, (_, place) => k * CELLS * CELLS + place).filter((cell) => counts[cell]);
    const all = [0, 1].map((axis) => cells.reduce((sum, cell) => sum + sums[2 * cell + axis], 0) / total);
    let best = { near: 0, gap: 0, x: 0, y: 0 };
    for (const cell of cells) {
      const near = around(counts, cell);
      const [x, y] = [sums[2 * cell] / counts[cell], sums[2 * cell + 1] / counts[cell]];
      const gap = Math.hypot(x - all[0], y - all[1]);
      if (near > best.near || (near === best.near && gap < best.gap)) best = { near, gap, x, y };
    }
    return { code, total, x: best.x, y: best.y };
  });
}

/** How many points are in a cell and those around it. @param {Uint32Array} counts @param {number} cell */
function around(counts, cell) {
  const [across, down] = [cell % CELLS, Math.floor(cell / CELLS) % CELLS];
  let total = 0;
  for (let i = Math.max(0, down - 1); i <= Math.min(CELLS - 1, down + 1); i++) {
    for (let j = Math.max(0, across - 1); j <= Math.min(CELLS - 1, across + 1); j++) {
      total += counts[cell + (i - down) * CELLS + (j - across)];
    }
  }
  return total;
}
