// Search: operations whose name, kind, stream or task has the text in it; "late" finds those of late jobs.

const search = {ops: null, kernels: null, keys: null, list: [], at: -1, timer: 0};

function matches(run, i, words) {
  const op = opOf(run, i);
  const job = jobOf(run, i);
  const text = [opName(run, i), op.kind, op.stream === undefined ? '' : run.streams[op.stream].name,
    op.task === undefined ? '' : run.tasks[op.task].name, job && (lateness(job) > 0 || jobNeverEnds(run, job)) ? 'late' : ''].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}

// The key of means that an op of the workload is in: that of its name, or the last, of all others.
function keyOfOp(run, op) {
  if (!run.keyOfName) run.keyOfName = new Map(run.keys.map(([name], k) => [name, k]));
  const key = run.keyOfName.get(run.ops[op].label.replace(/#\d+$/, ''));
  return key === undefined ? run.keys.length - 1 : key;
}

function searchFor(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  Object.assign(search, {ops: null, kernels: null, keys: null, list: [], at: -1});
  if (words.length) {
    search.ops = runs.map((run) => new Uint8Array(run.count));
    search.kernels = runs.map((run) => new Uint8Array(run.ops.length));
    search.keys = runs.map((run) => new Uint8Array(run.keys ? run.keys.length : 0));
    for (const run of runs) {
      for (let i = 0; i < run.count; i++) {
        if (!matches(run, i, words)) continue;
        search.ops[run.number][i] = 1;
        search.kernels[run.number][run.opOf[i]] = 1;
        if (run.keys) search.keys[run.number][keyOfOp(run, run.opOf[i])] = 1;
        search.list.push({run, op: i});
      }
    }
    search.list.sort((a, b) => a.run.startOf[a.op] - b.run.startOf[b.op]);
  }
  byId('found').textContent = words.length ? formatCount(search.list.length, 'match').replace('matchs', 'matches') : '';
  forgetTiles();
  if (table.run) sortBy(table.by, table.down);
  requestDraw();
}

// Is a kernel, or a span, none of what was searched for?
function isFaint(run, kernel) {
  if (!search.kernels || (kernel < 0 && kernel > KEY)) return false;
  return kernel <= KEY ? !search.keys[run.number][KEY - kernel] : !search.kernels[run.number][kernel];
}

function isFaintSpan(row, k) {
  if (!search.ops) return false;
  return row.weight ? isFaint(row.run, kernelOf(row, k)) : !search.ops[row.run.number][row.op[k]];
}

function nextMatch(by) {
  if (!search.list.length) return;
  search.at = search.at < 0 ? (by > 0 ? 0 : search.list.length - 1) : (search.at + by + search.list.length) % search.list.length;
  const {run, op} = search.list[search.at];
  chooseOp(run, op, true);
  byId('found').textContent = (search.at + 1) + ' of ' + search.list.length;
}

// While the user types in a page of many operations, the search waits for a pause.
function searchSoon(text) {
  clearTimeout(search.timer);
  if (runs.reduce((sum, run) => sum + run.count, 0) < 20000) searchFor(text);
  else search.timer = setTimeout(searchFor, 200, text);
}

function watchSearch() {
  byId('search').addEventListener('input', (event) => searchSoon(event.target.value));
  byId('search').addEventListener('keydown', (event) => {
    if (event.key === 'Enter') nextMatch(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') {
      event.target.value = '';
      searchFor('');
      byId('canvas').focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  byId('next').addEventListener('click', () => nextMatch(1));
  byId('previous').addEventListener('click', () => nextMatch(-1));
}
