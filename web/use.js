// What is in use of all SMs that are shown: threads, registers and shared memory over time, in the bins of tiles.

const useTiles = new Map();
const MAX_USE_TILES = 400; // more than any window shows
const USE_KEYS = ['threads', 'registers', 'smem'];

// What a block takes of an SM's resource, of 1; by operation, and of steps by key, for what holds all of an SM.
function demandsOf(run) {
  if (run.demands) return run.demands;
  const kernels = run.keys ? run.keys.map(([op]) => op) : Array.from(run.opOf);
  run.demands = USE_KEYS.map((key) => Float64Array.from(kernels, (kernel) => {
    const op = run.ops[kernel];
    if (!op || !op[key] || !run.gpu[key]) return 0;
    return op[key] / run.gpu[key] / (run.keys ? op.share / SHARE_ALL : 1);
  }));
  return run.demands;
}

function useTile(run, level, index) {
  const key = run.number + '/' + level + '/' + index;
  let tile = useTiles.get(key);
  if (tile || performance.now() > tiles.deadline) return tile;
  const binNs = binWidth(level);
  const t0 = index * BINS * binNs;
  const t1 = t0 + BINS * binNs;
  const sums = USE_KEYS.map(() => new Sums(BINS));
  const demands = demandsOf(run);
  for (const row of run.smRows) {
    const {start, end, op, weight} = row;
    for (let lane = 0; lane + 1 < row.first.length; lane++) {
      const last = row.first[lane + 1];
      for (let k = firstAbove(row.reach, t0, row.first[lane], last); k < last && start[k] < t1; k++) {
        const times = weight ? weight[k] : 1;
        const from = (start[k] - t0) / binNs;
        const to = (end[k] - t0) / binNs;
        for (let r = 0; r < 3; r++) {
          const demand = demands[r][op[k]];
          if (demand) sums[r].add(from, to, demand * times);
        }
      }
    }
  }
  tile = {held: sums.map((s) => s.finish().map((v) => v / run.smRows.length)), pictures: new Map()};
  if (useTiles.size > MAX_USE_TILES) useTiles.delete(useTiles.keys().next().value);
  useTiles.set(key, tile);
  return tile;
}

const USE_COLOURS = [0x4477aa, 0x33aaaa, 0xee8866];

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

// The use of a resource at a time, of 1.
function useAt(row, time) {
  const tile = useTile(row.run, tileLevel(), Math.floor(time / (BINS * binWidth(tileLevel()))));
  const bin = Math.floor(time / binWidth(tileLevel())) % BINS;
  return tile ? tile.held[USE_KEYS.indexOf(row.resource)][(bin + BINS) % BINS] : 0;
}
