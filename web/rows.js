// Rows of the timeline and the groups that they are in. A row has lanes; the spans of a lane follow each other, so that
// those in a part of the time are found by bisection. `reach` is the latest end so far, for lanes in which spans overlap.

const MAX_LANES = 24;

function makeRow(run, kind, label, height) {
  return {run, kind, label, height, first: new Uint32Array(1), laneY: [], laneHeight: [], start: new Float64Array(0),
    end: new Float64Array(0), reach: new Float64Array(0), op: new Uint32Array(0), block: null, weight: null};
}

// Fills a row with spans given by three functions of an operation; `list` are operations.
function fillRow(row, list, startOf, endOf, mostLanes = MAX_LANES) {
  const order = list.slice().sort((a, b) => startOf(a) - startOf(b) || a - b);
  const laneEnd = [];
  const lanes = [];
  for (const i of order) {
    const start = startOf(i);
    let lane = laneEnd.findIndex((end) => end <= start);
    if (lane < 0) lane = Math.min(laneEnd.length, mostLanes - 1);
    laneEnd[lane] = Math.max(laneEnd[lane] || 0, endOf(i), start + 1);
    (lanes[lane] = lanes[lane] || []).push(i);
  }
  const n = order.length;
  Object.assign(row, {start: new Float64Array(n), end: new Float64Array(n), reach: new Float64Array(n),
    op: new Uint32Array(n), first: new Uint32Array(lanes.length + 1)});
  let at = 0;
  lanes.forEach((lane, l) => {
    let reach = -Infinity;
    for (const i of lane) {
      row.start[at] = startOf(i) + row.run.offset;
      row.end[at] = endOf(i) + row.run.offset;
      row.reach[at] = reach = Math.max(reach, row.end[at]);
      row.op[at++] = i;
    }
    row.first[l + 1] = at;
    row.laneY.push(l / lanes.length);
    row.laneHeight.push(1 / lanes.length);
  });
  row.height = Math.max(row.height, 9 * lanes.length);
  return row;
}

function makeGroup(run, id, title, rows) {
  return {run, id, title, rows, folded: false, buttonId: 'group-' + id + '-' + run.number};
}

function allOps(run, wanted) {
  const list = [];
  for (let i = 0; i < run.count; i++) if (wanted(i)) list.push(i);
  return list;
}

// Operations by a number, as a Map from the number to a list.
function opsBy(run, numberOf) {
  const lists = new Map();
  for (let i = 0; i < run.count; i++) {
    const number = numberOf(i);
    if (number === undefined || number < -1) continue;
    if (!lists.has(number)) lists.set(number, []);
    lists.get(number).push(i);
  }
  return lists;
}

function hostRows(run) {
  const called = (i) => run.callOf[i] >= 0 && !run.skippedOf[i] && !opOf(run, i).child;
  const lists = opsBy(run, (i) => called(i) ? opOf(run, i).host === undefined ? -1 : opOf(run, i).host : undefined);
  const numbers = [...lists.keys()].sort((a, b) => (a < 0) - (b < 0) || a - b);
  return numbers.map((host) => {
    const row = makeRow(run, 'host', host < 0 ? 'releases' : run.hosts[host], 20);
    return fillRow(row, lists.get(host), (i) => run.callOf[i], (i) => Math.max(run.callOf[i] + 1, host < 0 ? 0 : returnOf(run, i)), 4);
  });
}

function streamRows(run) {
  const lists = opsBy(run, (i) => ran(run, i) && !opOf(run, i).child ? opOf(run, i).stream : undefined);
  return [...lists.keys()].sort((a, b) => a - b).map((stream) => {
    const row = makeRow(run, 'stream', stream < 0 ? 'no stream' : run.streams[stream].name, 22);
    row.streamId = stream < 0 ? undefined : run.streams[stream].id;
    return fillRow(row, lists.get(stream), (i) => run.startOf[i], (i) => run.drawnEndOf[i]);
  });
}

function childRows(run) {
  const lists = opsBy(run, (i) => ran(run, i) && opOf(run, i).child ? run.opOf[i] : undefined);
  return [...lists.keys()].sort((a, b) => a - b).map((op) => {
    const row = makeRow(run, 'stream', run.ops[op].label, 22);
    return fillRow(row, lists.get(op), (i) => run.startOf[i], (i) => run.drawnEndOf[i]);
  });
}

function engineRows(run) {
  const lists = opsBy(run, (i) => ran(run, i) && opOf(run, i).kind !== 'kernel' && run.engineOf[i] >= 0 ? run.engineOf[i] : undefined);
  return [...lists.keys()].sort((a, b) => a - b).map((engine) => {
    const row = makeRow(run, 'engine', run.gpu.engines > 1 ? 'copy engine ' + engine : 'copy engine', 22);
    return fillRow(row, lists.get(engine), (i) => run.startOf[i], (i) => run.drawnEndOf[i]);
  });
}

// A row per task whose jobs have deadlines; its spans are jobs, from release to deadline or end.
function taskRows(run) {
  const lists = new Map();
  run.jobs.forEach((job, k) => {
    if (!lists.has(job[0])) lists.set(job[0], []);
    lists.get(job[0]).push(k);
  });
  return [...lists.keys()].map((task) => {
    const list = lists.get(task);
    const row = makeRow(run, 'task', run.jobs[list[0]][6], 22);
    return fillRow(row, list, (k) => run.jobs[k][2], (k) => Math.max(run.jobs[k][3], run.jobs[k][4], jobNeverEnds(run, run.jobs[k]) ? run.hang.time : 0));
  });
}

function useRows(run) {
  if (run.blocks === 'none') return [];
  return [['threads', 'threads'], ['blocks', 'block slots'], ['registers', 'registers'], ['smem', 'shared memory']]
    .filter(([key]) => run.gpu[key] > 0 && run.ops.some((op) => takenBy(op, key) > 0))
    .map(([key, label]) => Object.assign(makeRow(run, 'use', label, 34), {resource: key}));
}

function smRowHeight(run, tall) {
  const sms = run.shown[3] - run.shown[2] + 1;
  if (tall) return 44;
  return sms <= 8 ? 40 : sms <= 24 ? 24 : 12;
}

const GROUP_IDS = ['deadlines', 'hosts', 'streams', 'engines', 'launched', 'use', 'sms'];

function makeGroups(run) {
  run.smRows = run.smRows || readSmRows(run);
  const groups = [
    makeGroup(run, 'deadlines', 'Deadlines', taskRows(run)),
    makeGroup(run, 'hosts', 'Hosts', hostRows(run)),
    makeGroup(run, 'streams', 'Streams', streamRows(run)),
    makeGroup(run, 'engines', 'Copy engines', engineRows(run)),
    makeGroup(run, 'launched', 'Launched kernels', childRows(run)),
    makeGroup(run, 'use', 'Resources in use, ' + smWords(run), useRows(run)),
    makeGroup(run, 'sms', 'SMs', run.smRows),
  ].filter((group) => group.rows.length);
  findPlaces(run, groups);
  return groups;
}

// Where each operation is shown: its row and its index there.
function findPlaces(run, groups) {
  run.placeRow = new Array(run.count).fill(null);
  run.placeAt = new Uint32Array(run.count);
  for (const id of ['hosts', 'streams', 'engines', 'launched']) {
    const group = groups.find((g) => g.id === id);
    for (const row of group ? group.rows : []) {
      row.group = group;
      for (let k = 0; k < row.op.length; k++) {
        run.placeRow[row.op[k]] = row;
        run.placeAt[row.op[k]] = k;
      }
    }
  }
}
