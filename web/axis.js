// The axis of time, its lines, and the overview of the whole run above it.

function tickStep() {
  const least = view.perPixel * 90;
  const power = Math.pow(10, Math.floor(Math.log10(least)));
  return [1, 2, 5, 10].map((f) => f * power).find((step) => step >= least);
}

function eachTick(draw) {
  const step = tickStep();
  const end = view.t0 + plotWidth() * view.perPixel;
  for (let n = Math.ceil(view.t0 / step); n * step <= end; n++) draw(n * step, Math.round(toX(n * step)) + 0.5);
}

function drawGrid(c) {
  c.strokeStyle = theme.colours.line;
  c.lineWidth = 1;
  c.beginPath();
  eachTick((time, x) => {
    c.moveTo(x, TOP);
    c.lineTo(x, view.height);
  });
  c.stroke();
}

function drawAxis(c) {
  c.fillStyle = theme.colours.ground;
  c.fillRect(0, 0, view.width, AXIS);
  c.fillStyle = theme.colours.faint;
  c.font = '11px system-ui, sans-serif';
  c.textAlign = 'center';
  eachTick((time, x) => {
    if (x >= LABELS && x < view.width - 24) c.fillText(formatTime(Math.abs(time) < 1e-6 ? 0 : +time.toPrecision(12)), x, 16);
  });
  c.strokeStyle = theme.colours.line;
  c.beginPath();
  c.moveTo(LABELS, AXIS - 0.5);
  c.lineTo(view.width, AXIS - 0.5);
  c.stroke();
}

const overview = {height: 30, held: null, key: '', picture: null};

// Threads in use of all SMs, or without blocks how many operations run, over all that the page has; in the bins of the whole view.
function measureOverview() {
  const run = runs[0];
  const [low, high] = wholeSpan();
  const level = Math.ceil(Math.log2((high - low) / plotWidth() / view.ratio / binUnit()));
  const binNs = binWidth(level);
  const first = Math.floor(view.from / binNs / BINS);
  const last = Math.floor(view.to / binNs / BINS);
  const held = new Float64Array((last - first + 1) * BINS);
  const list = groups.filter((g) => g.run === run && (g.id === 'streams' || g.id === 'engines')).flatMap((g) => g.rows);
  for (let index = first; index <= last; index++) {
    const sums = new Sums(BINS);
    if (!run.smRows.length) for (const row of list) addRow(row, index * BINS * binNs, binNs, sums, () => 1);
    const tile = run.smRows.length ? useTile(run, level, index) : null;
    held.set(tile ? tile.held[0] : sums.finish(), (index - first) * BINS);
  }
  const top = run.smRows.length ? 1 : held.reduce((a, b) => Math.max(a, b), 1e-9);
  Object.assign(overview, {held: held.map((v) => Math.min(1, v / top)), from: first * BINS * binNs, binNs});
}

// The overview but for its frame; drawn again only where something other than the view has changed.
function paintOverview() {
  const key = [view.width, view.ratio, theme.name, runs.length].join();
  if (overview.key === key && overview.held) return overview.picture;
  const {deadline} = tiles;
  tiles.deadline = Infinity; // it is drawn once
  measureOverview();
  tiles.deadline = deadline;
  const picture = document.createElement('canvas');
  picture.width = Math.round(view.width * view.ratio);
  picture.height = Math.round(overview.height * view.ratio);
  const c = picture.getContext('2d');
  c.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
  c.fillStyle = theme.colours.ground;
  c.fillRect(0, 0, view.width, overview.height);
  c.fillStyle = theme.colours.band;
  c.fillRect(LABELS, 0, plotWidth(), overview.height);
  c.fillStyle = theme.colours.faint;
  overview.held.forEach((held, b) => {
    if (overview.from + b * overview.binNs >= view.to) return;
    const [from, to] = knownPart(runs[0], overview.from + b * overview.binNs, overview.from + (b + 1) * overview.binNs);
    const x0 = Math.round(overviewX(from) * view.ratio) / view.ratio;
    const x1 = Math.round(overviewX(to) * view.ratio) / view.ratio;
    if (held > 0 && x1 > x0) c.fillRect(x0, overview.height - Math.max(1, held * (overview.height - 4)), x1 - x0, overview.height);
  });
  c.fillStyle = theme.colours.alarm;
  for (const job of runs[0].jobs) if (lateness(job) > 0 || jobNeverEnds(runs[0], job)) c.fillRect(overviewX(job[3]) - 1, 0, 2, 8);
  c.font = '11px system-ui, sans-serif';
  c.fillStyle = theme.colours.faint;
  c.textAlign = 'right';
  c.fillText((isPart(runs[0]) ? 'shown' : 'whole run') + (runs[0].smRows.length ? ': threads' : ': operations'), LABELS - 10, 19);
  Object.assign(overview, {key, picture});
  return picture;
}

function drawOverview() {
  const picture = paintOverview();
  const canvas = byId('overview');
  if (canvas.width !== picture.width) canvas.width = picture.width;
  if (canvas.height !== picture.height) canvas.height = picture.height;
  const c = canvas.getContext('2d');
  c.setTransform(1, 0, 0, 1, 0, 0);
  c.drawImage(picture, 0, 0);
  c.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
  const x0 = Math.max(overviewX(view.t0), LABELS);
  const x1 = Math.min(overviewX(view.t0 + plotWidth() * view.perPixel), view.width);
  c.strokeStyle = theme.colours.focus;
  c.lineWidth = 2;
  c.strokeRect(x0 + 1, 1, Math.max(3, x1 - x0 - 2), overview.height - 2);
}

function overviewX(time) {
  return LABELS + (time - view.from) / Math.max(view.to - view.from, 1e-9) * plotWidth();
}

function overviewTime(x) {
  return view.from + (x - LABELS) / plotWidth() * (view.to - view.from);
}
