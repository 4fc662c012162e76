// What is in use of all SMs that are shown, in the time that the page knows: threads, block slots, registers and shared memory over time, in the bins of
// tiles. Each is the exact sum over all blocks; where the page has means in the place of blocks, over each of its steps.

const useTiles = new Map();
const MAX_USE_TILES = 400; // more than any window shows
const USE_KEYS = ['threads', 'blocks', 'registers', 'smem'];

// What all SMs that are shown have of a resource.
function capacityOf(run, key) {
  return run.gpu[key] * (run.shown[3] - run.shown[2] + 1);
}

// What a block takes of a resource.
function takenBy(op, key) {
  if (!op || op.kind !== 'kernel') return 0;
  return key === 'blocks' ? 1 : op[key] || 0;
}

// By resource, then by operation: what a block takes of it.
function demandsOf(run) {
  if (!run.demands) run.demands = USE_KEYS.map((key) => Float64Array.from(run.opOf, (op) => takenBy(run.ops[op], key)));
  return run.demands;
}

// Adds what is in use from t0 on to sums, one for each resource.
function addUse(run, t0, binNs, sums) {
  const steps = useSteps(run);
  const t1 = t0 + sums[0].count * binNs;
  for (const sum of sums) sum.limit(run, t0, binNs);
  const demands = steps ? null : demandsOf(run);
  for (const row of steps ? [steps] : run.smRows) {
    const {start, end, op, weight} = row;
    for (let lane = 0; lane + 1 < row.first.length; lane++) {
      const last = row.first[lane + 1];
      for (let k = firstAbove(row.reach, t0, row.first[lane], last); k < last && start[k] < t1; k++) {
        const from = (start[k] - t0) / binNs;
        const to = (end[k] - t0) / binNs;
        if (steps) sums[op[k]].add(from, to, weight[k]);
        else for (let r = 0; r < sums.length; r++) if (demands[r][op[k]]) sums[r].add(from, to, demands[r][op[k]]);
      }
    }
  }
}

function useTile(run, level, index) {
  const key = run.number + '/' + level + '/' + index;
  let tile = useTiles.get(key);
  if (tile || performance.now() > tiles.deadline) return tile;
  const binNs = binWidth(level);
  const sums = USE_KEYS.map(() => new Sums(BINS));
  addUse(run, index * BINS * binNs, binNs, sums);
  tile = {held: sums.map((s, r) => s.finish().map((v) => v / capacityOf(run, USE_KEYS[r]))), pictures: new Map()};
  if (useTiles.size > MAX_USE_TILES) useTiles.delete(useTiles.keys().next().value);
  useTiles.set(key, tile);
  return tile;
}

// The mean use of each resource from t0 to t1, of 1.
function meanUse(run, t0, t1) {
  const sums = USE_KEYS.map(() => new Sums(1));
  addUse(run, t0, t1 - t0, sums);
  return sums.map((s, r) => s.finish()[0] / capacityOf(run, USE_KEYS[r]));
}

const USE_COLOURS = [0x4477aa, 0x8866cc, 0x33aaaa, 0xee8866];

// A tile's resource as a picture; the highest pixel of a column is as dense as the part of it that is in use.
function usePicture(tile, which, height) {
  const key = which + '/' + height;
  if (tile.pictures.has(key)) return tile.pictures.get(key);
  const picture = document.createElement('canvas');
  picture.width = BINS;
  picture.height = height;
  const c = picture.getContext('2d');
  const image = c.createImageData(BINS, height);
  for (let b = 0; b < BINS; b++) {
    const held = Math.min(1, tile.held[which][b]) * height;
    for (let p = 0; p < held; p++) {
      const at = ((height - 1 - p) * BINS + b) * 4;
      image.data[at] = channel(USE_COLOURS[which], 16);
      image.data[at + 1] = channel(USE_COLOURS[which], 8);
      image.data[at + 2] = channel(USE_COLOURS[which], 0);
      image.data[at + 3] = 255 * Math.min(1, held - p);
    }
  }
  c.putImageData(image, 0, 0);
  tile.pictures.set(key, picture);
  return picture;
}

function drawUse(c, row, y, height) {
  const level = tileLevel();
  const tileNs = BINS * binWidth(level);
  const pixelNs = view.perPixel / view.ratio;
  const left = Math.round(LABELS * view.ratio) - Math.round(view.t0 / pixelNs);
  const which = Math.max(0, USE_KEYS.indexOf(row.resource)); // folded: threads
  const last = Math.floor((view.t0 + plotWidth() * view.perPixel) / tileNs);
  c.save();
  c.setTransform(1, 0, 0, 1, 0, 0);
  c.imageSmoothingEnabled = false;
  for (let index = Math.floor(view.t0 / tileNs); index <= last; index++) {
    const tile = useTile(row.run, level, index);
    const x0 = Math.round(index * tileNs / pixelNs);
    const x1 = Math.round((index + 1) * tileNs / pixelNs);
    const size = Math.round(height * view.ratio);
    if (tile) c.drawImage(usePicture(tile, which, size), left + x0, Math.round(y * view.ratio), x1 - x0, size);
    else tiles.missing = true;
  }
  c.restore();
  c.strokeStyle = theme.colours.line;
  c.strokeRect(LABELS + 0.5, y + 0.5, plotWidth(), height - 1);
}

// Over which time a row of use shows one mean at a place: a bin of the picture, or a step of the page where that is longer.
function useSpan(row, time) {
  const width = binWidth(tileLevel());
  const bin = [Math.floor(time / width) * width, Math.floor(time / width) * width + width];
  const steps = useSteps(row.run);
  if (!steps) return bin;
  const lane = USE_KEYS.indexOf(row.resource);
  const k = firstAbove(steps.reach, time, steps.first[lane], steps.first[lane + 1]);
  const inside = k < steps.first[lane + 1] && steps.start[k] <= time;
  return inside && steps.end[k] - steps.start[k] > width ? [steps.start[k], steps.end[k]] : bin;
}
