// Draws the timeline: rows, what lies in them, labels. One frame at a time, and only when something has changed.

let drawWanted = false;
const drawn = {frames: 0, firstMs: 0, complete: false};

function requestDraw() {
  if (drawWanted) return;
  drawWanted = true;
  requestAnimationFrame(drawNow);
}

function resize() {
  const box = byId('chart').getBoundingClientRect();
  const whole = view.perPixel * plotWidth();
  view.ratio = printing ? 2 : window.devicePixelRatio || 1;
  view.width = Math.max(320, Math.floor(box.width));
  view.height = Math.max(160, Math.floor(box.height) - overview.height);
  const canvas = byId('canvas');
  canvas.width = Math.round(view.width * view.ratio);
  canvas.height = Math.round(view.height * view.ratio);
  canvas.style.width = byId('overview').style.width = view.width + 'px';
  canvas.style.height = view.height + 'px';
  byId('overview').style.height = overview.height + 'px';
  setView(view.t0, whole / plotWidth());
  scrollTo(view.scroll);
  updateTable();
}

function drawNow() {
  drawWanted = false;
  if (!runs.length) return;
  const c = byId('canvas').getContext('2d');
  tiles.deadline = performance.now() + (drawn.frames && !printing ? BUILD_MS : Infinity);
  tiles.missing = false;
  c.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
  c.fillStyle = theme.colours.ground;
  c.fillRect(0, 0, view.width, view.height);
  const list = visibleRows();
  c.save();
  c.beginPath();
  c.rect(LABELS, TOP, plotWidth(), view.height - TOP);
  c.clip();
  c.fillStyle = theme.colours.band;
  for (const row of list) c.fillRect(LABELS, rowTop(row), plotWidth(), row.shownHeight);
  drawGrid(c);
  drawRows(c, list);
  drawChosen(c);
  c.restore();
  drawLabels(c, list);
  drawAxis(c);
  drawWhy(c);
  drawArrows(c);
  drawOverview();
  placeButtons();
  refreshTip();
  drawn.frames++;
  if (!drawn.firstMs) {
    drawn.firstMs = performance.now();
    performance.mark('drawn');
  }
  drawn.complete = !tiles.missing;
  if (tiles.missing) requestDraw();
}

// Rows of a group are all drawn span by span, or all by means: one that differs would look as if it held something else.
function drawRows(c, list) {
  for (let i = 0, n; i < list.length; i += n) {
    const group = list[i].group;
    for (n = 1; i + n < list.length && list[i + n].group === group;) n++;
    const part = list.slice(i, i + n);
    if (group.id === 'use') {
      for (const row of part) drawUse(c, row, rowTop(row), row.shownHeight);
      for (const row of part) drawUnknown(c, row);
      continue;
    }
    let count = 0;
    for (const row of part) count += countShown(row);
    group.byTiles = group.folded || part.some((row) => row.weight) || count > MAX_DRAWN;
    if (group.byTiles) drawChunks(c, group, part);
    else for (const row of part) drawSpans(c, row);
    for (const row of part) drawCompared(c, row);
    for (const row of part) drawUnknown(c, row);
  }
}

// Rows are in tiles by the chunk, so that a tile stays the same while rows are scrolled.
function drawChunks(c, group, part) {
  if (group.folded) {
    drawByTiles(c, part);
    return;
  }
  const first = Math.floor(part[0].index / ROWS_OF_TILE);
  const last = Math.floor(part[part.length - 1].index / ROWS_OF_TILE);
  for (let chunk = first; chunk <= last; chunk++) {
    drawByTiles(c, group.rows.slice(chunk * ROWS_OF_TILE, (chunk + 1) * ROWS_OF_TILE));
  }
}

// Calls visit(k, x0, x1, y, height) for each span of a row in the window.
function eachSpan(row, visit) {
  const t1 = view.t0 + plotWidth() * view.perPixel;
  const top = rowTop(row);
  for (let lane = 0; lane + 1 < row.first.length; lane++) {
    const last = row.first[lane + 1];
    for (let k = firstAbove(row.reach, view.t0, row.first[lane], last); k < last && row.start[k] < t1; k++) {
      if (row.end[k] < view.t0) continue;
      const share = row.kind === 'sm' ? shareOf(row, k) : row.laneHeight[lane];
      const height = share * row.shownHeight;
      const y = row.kind === 'sm' ? top + row.shownHeight - row.laneY[lane] * row.shownHeight - height : top + row.laneY[lane] * row.shownHeight;
      visit(k, toX(row.start[k]), toX(row.end[k]), y, height);
    }
  }
}

function drawSpans(c, row) {
  if (row.kind === 'task') {
    drawJobs(c, row);
    return;
  }
  if (row.kind === 'stream') eachSpan(row, (k, x0, x1, y, height) => drawQueued(c, row, k, x0, y, height));
  const least = row.kind === 'sm' ? 0 : 1; // a block is as wide as its time; an operation can always be seen
  c.font = '11px system-ui, sans-serif';
  c.textAlign = 'left';
  eachSpan(row, (k, x0, x1, y, height) => {
    const kernel = kernelOf(row, k);
    const colour = colourOf(row.run, kernel);
    const width = Math.max(least, x1 - x0);
    c.globalAlpha = isFaintSpan(row, k) ? 0.2 : 1;
    c.fillStyle = colour.css;
    const gap = width > 4 ? 0.75 : 0;
    c.fillRect(x0, y + (height > 4 ? 0.5 : 0), width - gap, height - (height > 4 ? 1 : 0));
    if (width > 26 && height >= 11) drawInside(c, spanText(row, k), Math.max(x0, LABELS), Math.min(x0 + width, view.width), y, height, colour.ink);
  });
  c.globalAlpha = 1;
}

function spanText(row, k) {
  if (!row.block && neverEnds(row.run, row.op[k])) return opName(row.run, row.op[k]) + ': never ends';
  return row.block ? opName(row.run, row.op[k]) + ':' + row.block[k] : opName(row.run, row.op[k]);
}

function drawInside(c, text, x0, x1, y, height, ink) {
  if (x1 - x0 < 18) return;
  c.fillStyle = ink;
  c.fillText(fitted(c, text, x1 - x0 - 6), x0 + 3, y + height / 2 + 4);
}

const textWidths = new Map(); // by text, in the one font of the timeline

function widthOf(c, text) {
  let width = textWidths.get(text);
  if (width === undefined) {
    if (textWidths.size > 20000) textWidths.clear();
    width = c.measureText(text).width;
    textWidths.set(text, width);
  }
  return width;
}

// A text that fits into a width; what does not is left out of its middle, as names often differ at their ends.
function fitted(c, text, width) {
  if (text.length > 200) text = text.slice(0, 100) + '…' + text.slice(-99);
  if (widthOf(c, text) <= width) return text;
  let low = 1;
  let high = text.length - 1;
  const cut = (n) => text.slice(0, Math.ceil(n / 2)) + '…' + (n > 1 ? text.slice(-Math.floor(n / 2)) : '');
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (widthOf(c, cut(middle)) <= width) low = middle;
    else high = middle - 1;
  }
  return cut(low);
}

// From the call to the start: it is on its way, or waits.
function drawQueued(c, row, k, x0, y, height) {
  const call = row.run.callOf[row.op[k]];
  if (call < 0 || isFaintSpan(row, k)) return;
  c.fillStyle = theme.colours.waitEdge;
  const from = toX(call + row.run.offset);
  if (from < x0) c.fillRect(from, y + height / 2 - 1, x0 - from, 1.5);
}

// Jobs: from the release to the deadline, what of it was used, and what came after it.
function drawJobs(c, row) {
  const run = row.run;
  c.font = '11px system-ui, sans-serif';
  c.textAlign = 'left';
  eachSpan(row, (k, x0, x1, y, height) => {
    const job = run.jobs[row.op[k]];
    const due = toX(job[3] + run.offset);
    const never = jobNeverEnds(run, job);
    const end = never ? toX(run.hang.time + run.offset) : job[4] < 0 ? x0 : toX(job[4] + run.offset);
    const late = never || lateness(job) > 0;
    c.fillStyle = cssColour(mix(theme.name === 'dark' ? 0x15181c : 0xffffff, theme.name === 'dark' ? 0x8ab4f8 : 0x4477aa, 0.45));
    c.fillRect(x0, y + 4, Math.max(1, Math.min(end, due) - x0), height - 8);
    if (late) {
      c.fillStyle = theme.colours.alarm;
      for (let x = due; x < end; x += 4) c.fillRect(x, y + 3, Math.min(2.5, end - x), height - 6); // hatched: not by colour alone
    }
    c.fillStyle = late ? theme.colours.alarm : theme.colours.ink;
    c.fillRect(due - 0.75, y + 1, 1.5, height - 2);
    c.beginPath();
    c.moveTo(due - 4, y);
    c.lineTo(due + 4, y);
    c.lineTo(due, y + 6);
    c.fill();
    const text = job[6] + '#' + job[1] + (never ? ' never ends' : late ? ' late by ' + formatTime(lateness(job)) : '');
    if (x1 - x0 > 40) drawInside(c, text, Math.max(x0, LABELS), late && due - x0 > 60 ? due - 4 : Math.max(due, x1), y, height, late ? theme.colours.alarm : theme.colours.ink);
  });
}

// The frame around what is selected.
function drawChosen(c) {
  const row = chosen.row;
  if (!row) return;
  c.strokeStyle = theme.colours.focus;
  c.lineWidth = 2;
  const frame = (r, at) => {
    if (!rows.includes(r)) return;
    const t = {start: r.start[at], end: r.end[at]};
    const x0 = clamp(toX(t.start), LABELS - 10, view.width + 10);
    const x1 = clamp(toX(t.end), LABELS - 10, view.width + 10);
    const lane = firstAbove(r.first, at, 0, r.first.length) - 1;
    const share = r.kind === 'sm' ? shareOf(r, at) : r.laneHeight[lane];
    const y = r.kind === 'sm' ? rowTop(r) + r.shownHeight * (1 - r.laneY[lane] - share) : rowTop(r) + r.laneY[lane] * r.shownHeight;
    c.strokeRect(x0 - 1.5, y - 1.5, Math.max(3, x1 - x0 + 3), share * r.shownHeight + 3);
  };
  frame(row, chosen.at);
  const own = chosen.op >= 0 ? chosen.run.placeRow[chosen.op] : null;
  if (own && own !== row) frame(own, chosen.run.placeAt[chosen.op]);
  const job = chosen.op >= 0 ? jobOf(chosen.run, chosen.op) : null;
  if (!job) return;
  const x = toX(job[3] + chosen.run.offset);
  c.setLineDash([5, 4]);
  c.strokeStyle = theme.colours.alarm;
  c.lineWidth = 1;
  c.beginPath();
  c.moveTo(x, TOP);
  c.lineTo(x, view.height);
  c.stroke();
  c.setLineDash([]);
}

// Row labels at the left, and headings of groups.
function drawLabels(c, list) {
  c.fillStyle = theme.colours.ground;
  c.fillRect(0, TOP, LABELS, view.height - TOP);
  c.save();
  c.beginPath();
  c.rect(0, TOP, LABELS - 6, view.height - TOP);
  c.clip();
  c.font = '11px system-ui, sans-serif';
  c.textAlign = 'right';
  for (const row of list) {
    if (row.shownHeight < 11 && row.index % 2) continue; // every other label has room
    c.fillStyle = row === chosen.row ? theme.colours.focus : theme.colours.ink;
    c.fillText(fitted(c, row.label, LABELS - 18), LABELS - 10, rowTop(row) + row.shownHeight / 2 + 4);
  }
  c.restore();
}

// Headings of groups are buttons, for the keyboard and for readers of the screen.
function placeButtons() {
  for (const group of groups) {
    let button = byId(group.buttonId);
    if (!button) {
      button = element('button', {id: group.buttonId, class: 'group', type: 'button', onclick: () => toggleGroup(group)});
      byId('groups').append(button);
    }
    const y = TOP + group.y - view.scroll;
    const state = [y, group.folded, group.hidden, runs.length, view.height].join();
    if (button.dataset.state === state) continue;
    button.dataset.state = state;
    const title = group.title + (runs.length > 1 ? ' · ' + runWord(group.run) : '');
    const text = (group.folded ? '▸ ' : '▾ ') + title;
    if (button.textContent !== text) button.textContent = text;
    button.setAttribute('aria-expanded', String(!group.folded));
    button.hidden = Boolean(group.hidden);
    button.style.transform = 'translateY(' + y + 'px)';
    button.style.visibility = y < TOP - 4 || y > view.height - 12 ? 'hidden' : 'visible';
  }
}
