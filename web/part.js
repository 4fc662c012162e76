// A page of a part of a run. Blocks are known within the time that was asked for only: outside of it nothing is drawn of
// them, no mean reaches over its ends, and the rows say that it is not in this page.

// From when to when, in the time of the picture, all that happened is in the page.
function knownSpan(run) {
  return [run.shown[0] > 0 ? run.shown[0] + run.offset : -Infinity, run.shown[1] < run.end ? run.shown[1] + run.offset : Infinity];
}

function isKnown(run, time) {
  const [from, to] = knownSpan(run);
  return time >= from && time <= to;
}

// A span of time without what is not in the page.
function knownPart(run, from, to) {
  const known = knownSpan(run);
  return [Math.max(from, known[0]), Math.min(to, known[1])];
}

function isPart(run) {
  return knownSpan(run).some(Number.isFinite) || run.shown[3] - run.shown[2] + 1 < run.gpu.sms;
}

// "all SMs", "SMs 3–7".
function smWords(run) {
  const [first, last] = run.shown.slice(2);
  return last - first + 1 === run.gpu.sms ? 'all SMs' : first === last ? 'SM ' + first : 'SMs ' + first + '–' + last;
}

// Covers what of a row is not in the page.
function drawUnknown(c, row) {
  const [from, to] = knownSpan(row.run);
  const right = view.width;
  const parts = [[LABELS, Math.min(right, toX(from))], [Math.max(LABELS, toX(to)), right]].filter(([x0, x1]) => x1 > x0);
  for (const [x0, x1] of parts) {
    const y = rowTop(row);
    const covers = row.kind === 'sm' || row.kind === 'use' || row.group.byTiles;
    c.save();
    c.beginPath();
    c.rect(x0, y, x1 - x0, row.shownHeight);
    c.clip();
    c.globalAlpha = covers ? 1 : 0.7; // operations go on: their times are known
    c.fillStyle = theme.colours.ground;
    c.fillRect(x0, y, x1 - x0, row.shownHeight);
    c.strokeStyle = theme.colours.line;
    c.lineWidth = 1;
    c.beginPath();
    for (let x = Math.floor((x0 - row.shownHeight) / 8) * 8; x < x1; x += 8) {
      c.moveTo(x, y + row.shownHeight);
      c.lineTo(x + row.shownHeight, y);
    }
    c.stroke();
    c.globalAlpha = 1;
    c.font = '11px system-ui, sans-serif';
    c.textAlign = 'left';
    if (!row.index && x1 - x0 > 110) drawInside(c, 'not in this page', x0 + 6, x1, y, row.shownHeight, theme.colours.faint);
    c.restore();
  }
}
