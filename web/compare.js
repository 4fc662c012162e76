// A second run, beside the first, its rows below those of the same kind, or over it. Operations of the same name and job are compared.

function pairRuns() {
  const [a, b] = runs;
  const names = new Map();
  const key = (run, i, seen) => {
    const name = opOf(run, i).kind + ' ' + opOf(run, i).label + '#' + run.jobOf[i];
    const n = (seen.get(name) || 0) + 1;
    seen.set(name, n);
    return name + '/' + n;
  };
  a.pair = new Int32Array(a.count).fill(-1);
  b.pair = new Int32Array(b.count).fill(-1);
  const seenA = new Map();
  for (let i = 0; i < a.count; i++) names.set(key(a, i, seenA), i);
  const seenB = new Map();
  for (let i = 0; i < b.count; i++) {
    const other = names.get(key(b, i, seenB));
    if (other === undefined) continue;
    b.pair[i] = other;
    a.pair[other] = i;
  }
}

// How the second run's operation differs from the first's: {start, end, length}, or null.
function differenceOf(run, i) {
  if (runs.length < 2 || !run.pair || run.pair[i] < 0) return null;
  const [a, b] = runs;
  const [x, y] = run === a ? [i, run.pair[i]] : [run.pair[i], i];
  if (!ran(a, x) || !ran(b, y) || neverEnds(a, x) || neverEnds(b, y)) return null;
  const start = b.startOf[y] + b.offset - a.startOf[x] - a.offset;
  const end = b.endOf[y] + b.offset - a.endOf[x] - a.offset;
  return {start, end, length: end - start};
}

// Takes a second run, with its first start where the first run has its own.
function addRun(run) {
  run.offset = Math.max(0, runs[0].first) - Math.max(0, run.first);
  runs[1] = run;
  pairRuns();
  makeAllGroups(true);
  byId('compare-mode').hidden = false;
  showAll();
  buildColumns();
  fillAbout();
  showHang();
  say('second run: ' + run.name + ', ' + differingCount() + ' operations differ, ' + aloneCount() + ' exist in only one run');
}

// How a run is called beside the other.
function runWord(run) {
  if (runs[0].source !== runs[1].source) return run.source;
  return run.number ? 'second' : 'first';
}

// Operations without a counterpart, which cannot be compared.
function aloneCount() {
  return runs.reduce((sum, run) => sum + run.pair.reduce((n, other) => n + (other < 0), 0), 0);
}

function differingCount() {
  let count = 0;
  for (let i = 0; i < runs[0].count; i++) {
    const d = differenceOf(runs[0], i);
    if (d && (d.start || d.end)) count++;
  }
  return count;
}

const FEW_SMS = 16;
const TOO_MANY = 'too many operations of the second run to draw: zoom in';

// What the two runs have of a kind follows each other, so that no rows of the first are between what is compared.
function sideBySide(lists) {
  return lists.flat().map((group, k) => ({group, k})).sort((a, b) => GROUP_IDS.indexOf(a.group.id) - GROUP_IDS.indexOf(b.group.id) || a.k - b.k)
    .map(({group}) => group);
}

// foldSms: more SMs than a window has room for are one row, which unfolds.
function makeAllGroups(foldSms = false) {
  byId('groups').replaceChildren();
  const folded = new Set(groups.filter((g) => g.folded).map((g) => g.buttonId));
  groups = sideBySide(runs.map((run) => makeGroups(run)));
  for (const group of groups) {
    group.folded = folded.has(group.buttonId) || (foldSms && group.id === 'sms' && group.rows.length > FEW_SMS);
  }
  keepUncovered();
  view.from = Math.min(...runs.map((run) => run.shown[0] + run.offset));
  view.to = Math.max(...runs.map((run) => run.shown[1] + run.offset), view.from + 1);
  overview.held = null;
  forgetTiles();
  layoutRows();
  keepChosen();
}

// Over the first run: of the second's rows those stay below that cannot be drawn over a row of the first that is in sight.
function keepUncovered() {
  for (const group of groups.filter((g) => compareMode === 'over' && g.run.number === 1)) {
    const first = groups.find((g) => g.id === group.id && g.run !== group.run);
    const stays = (row) => !first || first.folded || !canOutline(row) || !otherRow(Object.assign(row, {group}));
    group.allRows = group.allRows || group.rows;
    group.rows = group.allRows.filter(stays);
    group.hidden = !group.rows.length;
    group.summary = null;
  }
}

// Outlines of jobs and of what is in use would hide what they lie over.
function canOutline(row) {
  return row.kind !== 'task' && row.kind !== 'use';
}

// Rows are new ones: what is selected is in one of them, or selected no longer.
function keepChosen() {
  if (!chosen.run) return;
  if (chosen.op < 0 || !runs.includes(chosen.run)) clearChosen();
  else Object.assign(chosen, {row: chosen.run.placeRow[chosen.op], at: chosen.run.placeAt[chosen.op]});
}

function setCompareMode(mode) {
  compareMode = mode;
  makeAllGroups();
}

// The row of the other run that shows the same thing; null: none does.
function otherRow(row) {
  if (runs.length < 2) return null;
  const other = groups.find((g) => g.id === row.group.id && g.run !== row.run);
  if (!other) return null;
  const list = other.allRows || other.rows;
  const own = row.group.allRows || row.group.rows;
  // labels of streams name what is in them, which may differ
  const sameStream = (r) => row.streamId !== undefined && r.streamId === row.streamId && !own.some((o) => o.label === r.label) && !list.some((o) => o.label === row.label);
  return list.find((r) => r.label === row.label) || list.find(sameStream) || null;
}

// Marks differences: over a row of the first run the outline of the second's; on bars the way from end to end.
function drawCompared(c, row) {
  if (runs.length < 2 || row.group.folded) return;
  if (compareMode === 'over' && row.run.number === 0) {
    const other = canOutline(row) ? otherRow(row) : null;
    if (!other) return;
    Object.assign(other, {y: row.y, shownHeight: row.shownHeight});
    c.lineWidth = 1.5;
    c.strokeStyle = theme.colours.ink;
    if (countShown(other) > MAX_DRAWN) {
      c.fillStyle = theme.colours.ground;
      c.fillRect(LABELS, rowTop(row), widthOf(c, TOO_MANY) + 8, row.shownHeight);
      drawInside(c, TOO_MANY, LABELS, view.width, rowTop(row), row.shownHeight, theme.colours.faint);
    } else {
      c.setLineDash([4, 2]);
      eachSpan(other, (k, x0, x1, y, height) => c.strokeRect(x0, y + 1, Math.max(1, x1 - x0), Math.max(1, height - 2)));
      c.setLineDash([]);
    }
    if (row.kind === 'stream' || row.kind === 'engine') eachSpan(other, (k, x0, x1, y, height) => drawDifference(c, other, k, x1, y, height));
  } else if (row.run.number === 1 && !row.group.byTiles && (row.kind === 'stream' || row.kind === 'engine')) {
    eachSpan(row, (k, x0, x1, y, height) => drawDifference(c, row, k, x1, y, height));
  }
}

// From where the first run's operation ended to where the second's did, with an arrow head: later points right.
function drawDifference(c, row, k, x1, y, height) {
  const d = differenceOf(row.run, row.op[k]);
  if (!d || !d.end) return;
  const x = toX(row.end[k] - d.end);
  if (Math.abs(x - x1) < 1) return;
  const way = d.end > 0 ? 1 : -1;
  c.fillStyle = c.strokeStyle = d.end > 0 ? theme.colours.later : theme.colours.earlier;
  c.lineWidth = 2;
  c.beginPath();
  c.moveTo(x, y + 1);
  c.lineTo(x, y + height - 1);
  c.moveTo(x, y + height - 3);
  c.lineTo(x1, y + height - 3);
  c.stroke();
  c.beginPath();
  c.moveTo(x1, y + height - 3);
  c.lineTo(x1 - 5 * way, y + height - 6);
  c.lineTo(x1 - 5 * way, y + height);
  c.fill();
}

// A second run from another page of gridcast, read here: nothing is sent anywhere.
function openSecond(file) {
  const reader = new FileReader();
  reader.onload = () => {
    try {
      addRun(readRun(finderIn(reader.result), 0, 1));
    } catch (error) { // the file is not what it should be: as before
      runs.length = 1;
      makeAllGroups();
      byId('compare-mode').hidden = true;
      buildColumns();
      fillAbout();
      showHang();
      say(file.name + ' is not a page of a run written by gridcast');
    }
  };
  reader.readAsText(file);
}
