// Rows with too many spans to draw each: means over bins of time, from all spans, never from a part of them. Bins are
// fixed in time, not in pixels, so that no pattern moves over the picture while it is panned: each is a power of two of
// nanoseconds wide, or of the time after which tasks repeat, as bins that hold different parts of what repeats would
// show a pattern that is not in the schedule. Tiles of bins are kept as small pictures.

const BINS = 256; // of a tile
const ROWS_OF_TILE = 32;
const MAX_TILE_BYTES = 1 << 27; // of all tiles that are kept
const LATE = -3; // late jobs, in the place of a kernel
const MAX_DRAWN = 8000; // spans that are drawn one by one
const BUILD_MS = 14; // for tiles in one frame; coarser ones stand in for the others

// Sums of weight over bins. What covers a bin in full is added up as changes from bin to bin.
class Sums {
  constructor(count) {
    this.count = count;
    this.part = new Float64Array(count);
    this.change = new Float64Array(count + 1);
    this.from = 0;
    this.to = count;
  }

  // Nothing is added of what the page of a run does not know; bins begin at t0.
  limit(run, t0, binNs) {
    const [from, to] = knownSpan(run);
    this.from = clamp((from - t0) / binNs, 0, this.count);
    this.to = clamp((to - t0) / binNs, 0, this.count);
    return this;
  }

  clear() {
    this.part.fill(0);
    this.change.fill(0);
    this.from = 0;
    this.to = this.count;
  }

  // From start to end, in bins.
  add(start, end, weight) {
    if (start < this.from) start = this.from;
    if (end > this.to) end = this.to;
    if (!(end > start)) return;
    const first = start | 0;
    const last = Math.min(end | 0, this.count - 1);
    if (first === last) {
      this.part[first] += (end - start) * weight;
      return;
    }
    this.part[first] += (first + 1 - start) * weight;
    this.part[last] += (end - last) * weight;
    this.change[first + 1] += weight;
    this.change[last] -= weight;
  }

  // The mean weight of each bin; of one that is known in part, of that part.
  finish(out) {
    const held = out || new Float64Array(this.count);
    let full = 0;
    for (let b = 0; b < this.count; b++) {
      full += this.change[b];
      held[b] = full + this.part[b];
    }
    for (const b of new Set([Math.floor(this.from), Math.floor(this.to)])) {
      const known = Math.min(b + 1, this.to) - Math.max(b, this.from);
      if (known > 0 && known < 1) held[b] /= known;
    }
    return held;
  }
}

// Adds all spans of a row that are in the bins from t0 on; `weightOf` is of span k.
function addRow(row, t0, binNs, sums, weightOf) {
  const t1 = t0 + sums.count * binNs;
  sums.limit(row.run, t0, binNs);
  for (let lane = 0; lane + 1 < row.first.length; lane++) {
    const last = row.first[lane + 1];
    for (let k = firstAbove(row.reach, t0, row.first[lane], last); k < last && row.start[k] < t1; k++) {
      sums.add((row.start[k] - t0) / binNs, (row.end[k] - t0) / binNs, weightOf(k));
    }
  }
}

// The level of bins that are, at this zoom, at least one device pixel wide and less than two.
function tileLevel() {
  return Math.ceil(Math.log2(view.perPixel / view.ratio / binUnit()));
}

function binWidth(level) {
  return binUnit() * Math.pow(2, level);
}

// 1 ns; with periodic tasks the time after which all of them repeat, halved until it is less than 1 ns.
function binUnit() {
  const run = runs[0];
  if (run.binUnit) return run.binUnit;
  const divisor = (a, b) => b ? divisor(b, a % b) : a;
  let all = 1;
  for (const task of run.tasks) if (task.period > 0 && all <= 2 ** 53) all = all / divisor(all, task.period) * task.period;
  run.binUnit = all > 1 && all <= 2 ** 53 ? all / Math.pow(2, Math.ceil(Math.log2(all))) : 1;
  return run.binUnit;
}

const tiles = {kept: new Map(), bytes: 0, sums: new Map(), pool: [], deadline: 0, missing: false};

function forgetTiles() {
  tiles.kept.clear();
  tiles.bytes = 0;
  useTiles.clear();
}

function sumsOf(key) {
  let sums = tiles.sums.get(key);
  if (!sums) {
    sums = tiles.pool.pop() || new Sums(BINS);
    sums.clear();
    tiles.sums.set(key, sums);
  }
  return sums;
}

// Sums of a row by kernel, into tiles.sums.
function sumKernels(row, t0, binNs, scale) {
  const t1 = t0 + BINS * binNs;
  const whole = row.kind !== 'sm';
  for (let lane = 0; lane + 1 < row.first.length; lane++) {
    const last = row.first[lane + 1];
    let key = -2;
    let sums = null;
    let share = 0;
    for (let k = firstAbove(row.reach, t0, row.first[lane], last); k < last && row.start[k] < t1; k++) {
      const kernel = row.kind !== 'task' ? kernelOf(row, k) : lateness(row.run.jobs[row.op[k]]) > 0 || jobNeverEnds(row.run, row.run.jobs[row.op[k]]) ? LATE : -1;
      if (kernel !== key) {
        key = kernel;
        sums = sumsOf(kernel).limit(row.run, t0, binNs);
        share = whole ? row.laneHeight[lane] * scale : shareOf(row, k) * scale;
      }
      if (row.weight) share = row.weight[k] * scale;
      sums.add((row.start[k] - t0) / binNs, (row.end[k] - t0) / binNs, share);
    }
  }
}

// Paints what is in tiles.sums as columns of stacked kernels: mean colours, so that nothing is rounded away.
function paintSums(run, pixels, y, height, faintWanted) {
  const kernels = [...tiles.sums.keys()].sort((a, b) => a - b);
  const held = kernels.map((kernel) => tiles.sums.get(kernel).finish());
  const colours = kernels.map((kernel) => ({rgb: colourOf(run, kernel).rgb, alpha: isFaint(run, kernel) ? 0.2 : 1}));
  const red = new Float64Array(height);
  const green = new Float64Array(height);
  const blue = new Float64Array(height);
  const alpha = new Float64Array(height);
  for (let b = 0; b < BINS; b++) {
    red.fill(0);
    green.fill(0);
    blue.fill(0);
    alpha.fill(0);
    let low = 0;
    kernels.forEach((kernel, n) => {
      const {rgb, alpha: a} = colours[n];
      const high = Math.min(height, low + held[n][b] * height);
      for (let p = Math.floor(low); p < high; p++) {
        const part = (Math.min(high, p + 1) - Math.max(low, p)) * a;
        red[p] += channel(rgb, 16) * part;
        green[p] += channel(rgb, 8) * part;
        blue[p] += channel(rgb, 0) * part;
        alpha[p] += part;
      }
      low = high;
    });
    for (let p = 0; p < height && p < low; p++) {
      if (!alpha[p]) continue;
      const at = ((y + height - 1 - p) * BINS + b) * 4;
      pixels[at] = red[p] / alpha[p];
      pixels[at + 1] = green[p] / alpha[p];
      pixels[at + 2] = blue[p] / alpha[p];
      pixels[at + 3] = Math.max(alpha[p] * 255, faintWanted ? 90 : 0);
    }
  }
  for (const sums of tiles.sums.values()) tiles.pool.push(sums);
  tiles.sums.clear();
}

// A picture of rows, one below the other, in the bins of one tile.
function buildTile(list, level, index) {
  const binNs = binWidth(level);
  const t0 = index * BINS * binNs;
  const ratio = view.ratio;
  const top = list[0].y;
  const last = list[list.length - 1];
  const height = Math.max(1, Math.round((last.y + last.shownHeight - top) * ratio));
  const canvas = document.createElement('canvas');
  canvas.width = BINS;
  canvas.height = height;
  const c = canvas.getContext('2d');
  const image = c.createImageData(BINS, height);
  for (const row of list) {
    const rowHeight = Math.max(1, Math.round(row.shownHeight * ratio));
    if (row.kind === 'summary') {
      for (const part of row.group.rows) if (part.kind !== 'use') sumKernels(part, t0, binNs, 1 / row.group.rows.length);
    } else {
      sumKernels(row, t0, binNs, 1);
    }
    const y = Math.min(Math.round((row.y - top) * ratio), height - rowHeight);
    paintSums(row.run, image.data, y, rowHeight, row.kind !== 'sm');
  }
  c.putImageData(image, 0, 0);
  return {canvas, height};
}

function findTile(list, level, index, build) {
  const key = list[0].group.buttonId + '/' + list[0].kind + '/' + list[0].index + '/' + level + '/' + index;
  let tile = tiles.kept.get(key);
  if (!tile && build) {
    tile = buildTile(list, level, index);
    tiles.bytes += 4 * BINS * tile.height;
    dropTiles();
  }
  if (tile) { // the newest is last
    tile.frame = drawn.frames;
    tiles.kept.delete(key);
    tiles.kept.set(key, tile);
  }
  return tile;
}

// Drops the tiles that were not used for longest, but none of this frame.
function dropTiles() {
  for (const [key, tile] of tiles.kept) {
    if (tiles.bytes <= MAX_TILE_BYTES || tile.frame === drawn.frames) return;
    tiles.kept.delete(key);
    tiles.bytes -= 4 * BINS * tile.height;
  }
}

// Draws a tile, or a part of a coarser one, over the device pixels of its time.
function drawTile(c, list, level, index) {
  const pixelNs = view.perPixel / view.ratio;
  const origin = Math.round(view.t0 / pixelNs);
  const tileNs = BINS * binWidth(level);
  const x0 = Math.round(index * tileNs / pixelNs);
  const x1 = Math.round((index + 1) * tileNs / pixelNs);
  const left = Math.round(LABELS * view.ratio) - origin;
  const y = Math.round(rowTop(list[0]) * view.ratio);
  let tile = findTile(list, level, index, performance.now() < tiles.deadline);
  if (tile) {
    c.drawImage(tile.canvas, 0, 0, BINS, tile.height, left + x0, y, x1 - x0, tile.height);
    return;
  }
  tiles.missing = true;
  for (let up = 1; up <= 4 && !tile; up++) {
    tile = findTile(list, level + up, Math.floor(index / Math.pow(2, up)), false);
    const part = BINS / Math.pow(2, up);
    const from = (index / Math.pow(2, up) - Math.floor(index / Math.pow(2, up))) * BINS;
    if (tile) c.drawImage(tile.canvas, from, 0, part, tile.height, left + x0, y, x1 - x0, tile.height);
  }
}

// Draws rows of one kind by tiles.
function drawByTiles(c, list) {
  const level = tileLevel();
  const tileNs = BINS * binWidth(level);
  const first = Math.floor(view.t0 / tileNs);
  const last = Math.floor((view.t0 + plotWidth() * view.perPixel) / tileNs);
  c.save();
  c.setTransform(1, 0, 0, 1, 0, 0);
  c.imageSmoothingEnabled = false;
  for (let index = first; index <= last; index++) drawTile(c, list, level, index);
  c.restore();
}

// Spans of a row in the window.
function countShown(row) {
  const t1 = view.t0 + plotWidth() * view.perPixel;
  let count = 0;
  for (let lane = 0; lane + 1 < row.first.length; lane++) {
    const from = firstAbove(row.reach, view.t0, row.first[lane], row.first[lane + 1]);
    count += firstFrom(row.start, t1, from, row.first[lane + 1]) - from;
  }
  return count;
}
