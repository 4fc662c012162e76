// A run: what the page says of its operations, in columns of numbers.

const COLUMNS = ['op', 'job', 'skipped', 'engine', 'connection', 'release', 'call', 'back', 'arrive', 'head', 'enter',
  'start', 'dispatched', 'end', 'blocks'];
const ON_GPU = {kernel: true, copy: true, memset: true};

function readRun(find, from, number) {
  const text = find('run-' + from);
  if (!text) return null;
  const data = JSON.parse(text);
  if (data.schema !== 'gridcast.page/2') return null;
  const count = data.run.length;
  const run = {...data, number, count, find, from, offset: 0, extra: new Map()};
  COLUMNS.forEach((name, k) => {
    const column = new Float64Array(count);
    for (let i = 0; i < count; i++) column[i] = data.run[i][k];
    run[name === 'op' ? 'opOf' : name === 'blocks' ? 'blocksOf' : name + 'Of'] = column;
  });
  for (let i = 0; i < count; i++) if (data.run[i].length > COLUMNS.length) run.extra.set(i, data.run[i][COLUMNS.length]);
  run.run = null;
  run.drawnEndOf = drawnEnds(run);
  if (data.hostZero) alignHostClock(run);
  return run;
}

// Of a measured run calls and releases are on the host's clock: moved to the GPU's, as well as that is known.
function alignHostClock(run) {
  const zero = (run.hostZero[0] + run.hostZero[1]) / 2;
  for (const column of [run.releaseOf, run.callOf, run.backOf]) {
    for (let i = 0; i < column.length; i++) if (column[i] >= 0) column[i] = Math.max(0, column[i] - zero);
  }
}

function opOf(run, i) {
  return run.ops[run.opOf[i]];
}

// Did it run on the GPU? One that never ends did, up to when the run hangs.
function ran(run, i) {
  return ON_GPU[opOf(run, i).kind] && !run.skippedOf[i] && run.startOf[i] >= 0 && run.drawnEndOf[i] >= run.startOf[i];
}

// "K1"; "detect#3" for an operation of a job or a child.
function opName(run, i) {
  const op = opOf(run, i);
  const extra = run.extra.get(i);
  if (extra && extra.rest && extra.parent >= 0) return 'rest of block ' + extra.parentBlock + ' of ' + opName(run, extra.parent);
  return op.task !== undefined || op.child ? op.label + '#' + run.jobOf[i] : op.label;
}

// From the release to the end; -1 where it never ran.
function responseOf(run, i) {
  const from = run.releaseOf[i];
  return run.callOf[i] < 0 || from < 0 || run.endOf[i] < from ? -1 : run.endOf[i] - from;
}

// The job that an operation belongs to, with its deadline; null: none has one.
function jobOf(run, i) {
  const task = opOf(run, i).task;
  if (task === undefined) return null;
  if (!run.jobIndex) {
    run.jobIndex = new Map();
    run.jobs.forEach((job, k) => run.jobIndex.set(job[0] + '#' + job[1], k));
  }
  const k = run.jobIndex.get(task + '#' + run.jobOf[i]);
  return k === undefined ? null : run.jobs[k];
}

// How late a job was; below 0: before its deadline; null: it did not end.
function lateness(job) {
  return job[4] < 0 ? null : job[4] - job[3];
}
