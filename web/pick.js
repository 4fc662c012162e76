// What is under the pointer, and what is selected.

function rowAt(y) {
  if (y < TOP) return null;
  return visibleRows().find((row) => y >= rowTop(row) && y < rowTop(row) + row.shownHeight) || null;
}

// The span of a row at a place, or the nearest within three pixels; -1: none.
function spanAt(row, x, y) {
  const time = toTime(x);
  const slack = 3 * view.perPixel;
  const inside = (y - rowTop(row)) / row.shownHeight;
  let best = -1;
  let distance = Infinity;
  for (let lane = 0; lane + 1 < row.first.length; lane++) {
    const last = row.first[lane + 1];
    for (let k = firstAbove(row.reach, time - slack, row.first[lane], last); k < last && row.start[k] <= time + slack; k++) {
      const height = row.kind === 'sm' ? shareOf(row, k) : row.laneHeight[lane];
      const low = row.kind === 'sm' ? 1 - row.laneY[lane] - height : row.laneY[lane];
      if (inside < low || inside > low + height) continue;
      const d = time < row.start[k] ? row.start[k] - time : time > row.end[k] ? time - row.end[k] : 0;
      if (d < distance) [best, distance] = [k, d];
    }
  }
  return best;
}

// {row, at, time}; at is -1 where means are shown, or nothing is there. null: no row is there.
function pick(x, y) {
  const row = rowAt(y);
  if (!row) return null;
  if (x <= LABELS) return {row, at: -1, label: true};
  const byMeans = (row.kind === 'sm' && !isKnown(row.run, toTime(x))) || row.kind === 'use' || row.kind === 'summary' || row.weight || (row.kind === 'sm' && row.group.byTiles);
  return {row, at: byMeans ? -1 : spanAt(row, x, y), time: toTime(x)};
}

function clearChosen() {
  Object.assign(chosen, {run: null, op: -1, row: null, at: -1, job: -1});
  showFacts();
  requestDraw();
}

// Selects span `at` of a row.
function choose(row, at) {
  const isJob = row.kind === 'task';
  Object.assign(chosen, {run: row.run, row, at, op: isJob ? -1 : row.op[at], job: isJob ? row.op[at] : -1});
  showFacts();
  markTable();
  requestDraw();
}

// Selects an operation by its number, in the row where it is shown.
function chooseOp(run, i, bring) {
  const row = run.placeRow[i];
  if (!row) {
    Object.assign(chosen, {run, op: i, row: null, at: -1, job: -1});
    showFacts();
    markTable();
    requestDraw();
    return;
  }
  const at = run.placeAt[i];
  if (bring) bringIntoView(row, row.start[at], row.end[at]);
  choose(row, at);
}

function chooseJob(run, k) {
  const group = groups.find((g) => g.run === run && g.id === 'deadlines');
  for (const row of group ? group.rows : []) {
    const at = row.op.indexOf(k);
    if (at < 0) continue;
    bringIntoView(row, row.start[at], row.end[at]);
    choose(row, at);
  }
}

// Spans of a row by their starts.
function orderOf(row) {
  if (!row.order) row.order = Uint32Array.from(row.start.keys()).sort((a, b) => row.start[a] - row.start[b] || a - b);
  return row.order;
}

function rowsToStep() {
  return rows.filter((row) => row.start.length && !row.weight && row.kind !== 'use' && row.kind !== 'summary');
}

// The next or previous span of the row.
function stepAlong(by) {
  const row = chosen.row || rowsToStep()[0];
  if (!row) return;
  const order = orderOf(row);
  const place = chosen.row ? order.indexOf(chosen.at) + by : firstInWindow(row, order);
  const at = order[clamp(place, 0, order.length - 1)];
  bringIntoView(row, row.start[at], row.end[at]);
  choose(row, at);
}

function firstInWindow(row, order) {
  const place = order.findIndex((k) => row.end[k] >= view.t0);
  return place < 0 ? 0 : place;
}

// The span of the next row that is nearest in time.
function stepAcross(by) {
  const list = rowsToStep();
  if (!list.length) return;
  const place = chosen.row ? list.indexOf(chosen.row) : -1;
  const row = list[clamp(place + by, 0, list.length - 1)];
  const time = chosen.row ? chosen.row.start[chosen.at] : view.t0;
  let best = 0;
  for (let k = 0; k < row.start.length; k++) {
    const d = (j) => Math.max(row.start[j] - time, time - row.end[j], 0);
    if (d(k) < d(best)) best = k;
  }
  bringIntoView(row, row.start[best], row.end[best]);
  choose(row, best);
}
