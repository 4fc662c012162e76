// Arrows from the waits of the selected operation to the operations that it waited for, and to those that it is after.

const MAX_ARROWS = 12;

// Where an operation is on the canvas at a time; null: its row is not shown.
function placeOf(run, i, time) {
  const row = run.placeRow[i];
  if (!row) return null;
  const shown = row.group.folded ? row.group.summary : row;
  if (!rows.includes(shown)) return null;
  const y = rowTop(shown) + shown.shownHeight / 2;
  return {x: clamp(toX(clamp(time, row.start[run.placeAt[i]], row.end[run.placeAt[i]])), LABELS + 2, view.width - 2), y: clamp(y, TOP + 4, view.height - 4)};
}

function drawArrows(c) {
  if (!chosen.run || chosen.op < 0) return;
  const run = chosen.run;
  const e = explanationOf(run, chosen.op);
  const longest = (e ? e.waits : []).filter((w) => w.holders.some((h) => typeof h[0] === 'number'))
    .sort((a, b) => (b.to - b.from) - (a.to - a.from)).slice(0, MAX_ARROWS);
  c.save();
  c.beginPath();
  c.rect(LABELS, AXIS, plotWidth(), view.height - AXIS);
  c.clip();
  c.lineWidth = 1.5;
  c.strokeStyle = c.fillStyle = theme.colours.focus;
  for (const w of longest) {
    const from = {x: clamp(toX((w.from + w.to) / 2 + run.offset), LABELS + 4, view.width - 4), y: AXIS + 30};
    for (const holder of w.holders.slice(0, 3)) {
      if (typeof holder[0] !== 'number' || holder[0] === chosen.op) continue;
      const to = placeOf(run, holder[0], w.to + run.offset);
      if (to) drawArrow(c, from, to);
    }
  }
  c.setLineDash([3, 3]);
  for (const after of opOf(run, chosen.op).after || []) {
    const i = opInJob(run, after, run.jobOf[chosen.op]);
    const from = placeOf(run, chosen.op, run.startOf[chosen.op] + run.offset);
    const to = i < 0 ? null : placeOf(run, i, run.drawnEndOf[i] + run.offset);
    if (from && to) drawArrow(c, from, to);
  }
  c.restore();
}

// The operation of an op of the workload in a job; -1: none.
function opInJob(run, op, job) {
  const once = run.ops[op].task === undefined;
  for (let i = 0; i < run.count; i++) if (run.opOf[i] === op && (once || run.jobOf[i] === job)) return i;
  return -1;
}

function drawArrow(c, from, to) {
  const bend = Math.max(18, Math.abs(to.y - from.y) / 3);
  c.beginPath();
  c.moveTo(from.x, from.y);
  c.bezierCurveTo(from.x, from.y + bend, to.x, to.y - bend, to.x, to.y - 4);
  c.stroke();
  c.beginPath();
  c.moveTo(to.x, to.y);
  c.lineTo(to.x - 4, to.y - 7);
  c.lineTo(to.x + 4, to.y - 7);
  c.fill();
}
