// Blocks on SMs, one by one; or, of runs with too many, means in steps of time: what kernels hold of each SM, and what
// is in use of all SMs together, which has steps of its own.

const SHARE_ALL = 65536;

function readSmRows(run) {
  if (run.blocks === 'none') return [];
  const reader = new NumberReader(decodeBase64(run.find('blocks-' + run.from)));
  const rows = [];
  const each = run.blocks === 'each';
  const store = each ? newStore(run.blockCount) : null;
  const keys = each ? null : JSON.parse(run.find('keys-' + run.from));
  if (keys) run.keys = keys;
  let at = 0;
  for (let sm = run.shown[2]; sm <= run.shown[3]; sm++) {
    const row = makeRow(run, 'sm', 'SM ' + sm, smRowHeight(run, false));
    row.sm = sm;
    if (each) at = readBlocks(run, row, reader, store, at);
    else readSteps(run, row, reader, keys.length, SHARE_ALL);
    rows.push(row);
  }
  return rows;
}

// The arrays of all blocks; rows have parts of them.
function newStore(count) {
  return {start: new Float64Array(count), end: new Float64Array(count), op: new Uint32Array(count), block: new Float64Array(count)};
}

function readBlocks(run, row, reader, store, at) {
  const begin = at;
  const lanes = reader.number();
  row.first = new Uint32Array(lanes + 1);
  for (let lane = 0; lane < lanes; lane++) {
    row.laneY.push(reader.number() / SHARE_ALL);
    let n = reader.number();
    let end = 0;
    let length = 0;
    let op = 0;
    let block = 0;
    for (; n > 0; n--) {
      const start = end + reader.signed();
      length += reader.signed();
      op += reader.signed();
      block += reader.signed();
      end = start + length;
      store.start[at] = start + run.offset;
      store.end[at] = end + run.offset;
      store.op[at] = op;
      store.block[at++] = block;
    }
    row.first[lane + 1] = at - begin;
  }
  row.start = store.start.subarray(begin, at);
  row.end = row.reach = store.end.subarray(begin, at);
  row.op = store.op.subarray(begin, at);
  row.block = store.block.subarray(begin, at);
  return at;
}

// Fills a row with means: a lane per key or resource; the height of a span is its weight.
function readSteps(run, row, reader, lanes, unit) {
  const start = [];
  const end = [];
  const op = [];
  const weight = [];
  row.first = new Uint32Array(lanes + 1);
  for (let key = 0; key < lanes; key++) {
    let n = reader.number();
    let last = 0;
    let length = 0;
    let height = 0;
    for (; n > 0; n--) {
      const from = last + reader.signed();
      length += reader.signed();
      height += reader.signed();
      last = from + length;
      start.push(from + run.offset);
      end.push(last + run.offset);
      op.push(key);
      weight.push(height / unit);
    }
    row.first[key + 1] = start.length;
    row.laneY.push(0);
  }
  row.start = Float64Array.from(start);
  row.end = row.reach = Float64Array.from(end);
  row.op = Uint32Array.from(op);
  row.weight = Float64Array.from(weight);
}

// What is in use of all SMs that are shown, a lane per resource in the order of USE_KEYS, in threads, blocks, registers
// and bytes; null: blocks tell.
function useSteps(run) {
  const text = run.blocks === 'steps' ? run.find('use-' + run.from) : null;
  if (!run.useRow && text) {
    run.useRow = makeRow(run, 'use', '', 0);
    readSteps(run, run.useRow, new NumberReader(decodeBase64(text)), USE_KEYS.length, 1024);
  }
  return run.useRow || null;
}

// What span k of a row shows: an op of the workload; of means a key, which may stand for several, as KEY - its number;
// -1: none that the page has.
const KEY = -10;

function kernelOf(row, k) {
  if (row.weight) return KEY - row.op[k];
  const op = row.run.opOf[row.op[k]];
  return op === undefined ? -1 : op;
}

function kernelName(run, kernel) {
  if (kernel <= KEY) return run.keys[KEY - kernel][0];
  return kernel < 0 ? 'others' : run.ops[kernel].label;
}

// What span k holds of its SM, of 1.
function shareOf(row, k) {
  return row.weight ? row.weight[k] : opShares(row.run)[row.op[k]] || 0;
}

// By operation: what one of its blocks holds of an SM.
function opShares(run) {
  if (!run.opShares) run.opShares = Float64Array.from(run.opOf, (op) => (run.ops[op].share || 0) / SHARE_ALL);
  return run.opShares;
}

// Over which time the row of an SM shows means at a place: a bin of the picture, or a step of the page where that is longer.
function smSpan(row, time) {
  const width = binWidth(tileLevel());
  const bin = [Math.floor(time / width) * width, Math.floor(time / width) * width + width];
  let longest = bin;
  for (let lane = 0; row.weight && lane + 1 < row.first.length; lane++) {
    const k = firstAbove(row.reach, time, row.first[lane], row.first[lane + 1]);
    const inside = k < row.first[lane + 1] && row.start[k] <= time;
    if (inside && row.end[k] - row.start[k] > longest[1] - longest[0]) longest = [row.start[k], row.end[k]];
  }
  return longest;
}

// What kernels hold of a row's SM on average from t0 to t1: a Map from kernel to share.
function heldBetween(row, from, to) {
  const held = new Map();
  const [t0, t1] = knownPart(row.run, from, to);
  for (let lane = 0; lane + 1 < row.first.length; lane++) {
    const last = row.first[lane + 1];
    for (let k = firstAbove(row.reach, t0, row.first[lane], last); k < last && row.start[k] < t1; k++) {
      const time = Math.min(t1, row.end[k]) - Math.max(t0, row.start[k]);
      if (time > 0) held.set(kernelOf(row, k), (held.get(kernelOf(row, k)) || 0) + shareOf(row, k) * time / (t1 - t0));
    }
  }
  return held;
}
