// What is shown: the part of the time, how far rows are scrolled, what is chosen. Times are moved by whole pixels, so
// that panning moves the picture and does not change it.

const LABELS = 176; // pixels for the labels of rows
const AXIS = 26; // pixels for the axis
const TOP = AXIS + 38; // where rows begin: below the axis and the waits of the selected operation

const view = {
  t0: 0, // time at the left edge of the plot
  perPixel: 1, // nanoseconds
  width: 800, // of the canvas, in CSS pixels
  height: 400,
  ratio: 1, // device pixels per CSS pixel
  scroll: 0, // rows, in pixels
  rowsHeight: 0, // of all rows
  from: 0, // what can be shown
  to: 1,
};

const runs = []; // the run of the page, and maybe a second one
let groups = []; // of all runs, in the order in which they are shown
let rows = []; // those that are shown, with their y
const chosen = {run: null, op: -1, row: null, at: -1, job: -1}; // the selected operation, block or job
let tallRows = false;
let compareMode = 'below'; // or 'over'

function plotWidth() {
  return Math.max(50, view.width - LABELS);
}

function toX(time) {
  return LABELS + (time - view.t0) / view.perPixel;
}

function toTime(x) {
  return view.t0 + (x - LABELS) * view.perPixel;
}

function wholeSpan() {
  const margin = (view.to - view.from) * 0.01;
  return [view.from - margin, view.to + margin];
}

// Shows from t0 on with so many nanoseconds per pixel, kept within the run.
function setView(t0, perPixel) {
  const [low, high] = wholeSpan();
  const most = (high - low) / plotWidth();
  view.perPixel = clamp(perPixel, Math.min(0.01, most), most);
  t0 = clamp(t0, low, Math.max(low, high - view.perPixel * plotWidth()));
  const step = view.perPixel / view.ratio;
  view.t0 = Math.round(t0 / step) * step;
  requestDraw();
}

function showAll() {
  setView(wholeSpan()[0], (wholeSpan()[1] - wholeSpan()[0]) / plotWidth());
}

function showSpan(from, to) {
  const length = Math.max(to - from, 4 * view.perPixel / 1000, 1);
  setView(from - length * 0.2, length * 1.4 / plotWidth());
}

// Zooms by a factor; the time at x stays where it is.
function zoomAt(x, factor) {
  const time = toTime(x);
  const before = view.perPixel;
  setView(view.t0, view.perPixel * factor);
  if (view.perPixel !== before) setView(time - (x - LABELS) * view.perPixel, view.perPixel);
}

function panBy(pixels) {
  setView(view.t0 + pixels * view.perPixel, view.perPixel);
}

function scrollBy(pixels) {
  scrollTo(view.scroll + pixels);
}

function scrollTo(y) {
  view.scroll = Math.round(clamp(y, 0, Math.max(0, view.rowsHeight - (view.height - TOP))));
  requestDraw();
}

// Puts rows one below the other.
function layoutRows() {
  rows = [];
  let y = 0;
  const place = (row, height) => {
    rows.push(row);
    row.y = y;
    row.shownHeight = height;
    y += height + 2;
  };
  for (const group of groups) {
    if (group.hidden) continue;
    group.y = y;
    y += 22;
    group.rows.forEach((row, k) => Object.assign(row, {group, index: k}));
    if (group.folded) {
      group.summary = group.summary || Object.assign(makeRow(group.run, 'summary', group.allRows && group.allRows.length > group.rows.length ? 'others' : 'all', 12), {group, index: 0});
      place(group.summary, 12);
      continue;
    }
    for (const row of group.rows) place(row, row.kind === 'sm' ? smRowHeight(row.run, tallRows) : row.height);
    y += 4;
  }
  view.rowsHeight = y;
  placeButtons();
  scrollTo(view.scroll);
}

function toggleGroup(group) {
  group.folded = !group.folded;
  if (runs.length > 1 && compareMode === 'over') {
    keepUncovered();
    forgetTiles();
  }
  layoutRows();
  say(group.title + (group.folded ? ' folded' : ' unfolded'));
}

// The rows in the window, found by bisection: there may be thousands.
function visibleRows() {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle].y + rows[middle].shownHeight > view.scroll) high = middle;
    else low = middle + 1;
  }
  const list = [];
  for (; low < rows.length && rows[low].y < view.scroll + view.height - TOP; low++) list.push(rows[low]);
  return list;
}

function rowTop(row) {
  return TOP + row.y - view.scroll;
}

// Scrolls and pans as far as needed to see a span of a row.
function bringIntoView(row, from, to) {
  if (row.group && row.group.folded) toggleGroup(row.group);
  if (row.y < view.scroll + 24) scrollTo(row.y - 40);
  else if (row.y + row.shownHeight > view.scroll + view.height - TOP) scrollTo(row.y + row.shownHeight - view.height + TOP + 40);
  const width = plotWidth() * view.perPixel;
  if (to < view.t0 || from > view.t0 + width) setView((from + Math.min(to, from + width)) / 2 - width / 2, view.perPixel);
}
