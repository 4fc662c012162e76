// Why an operation waited: what `gridcast explain` says of it, or as far as the times of operations tell. What they leave
// open is rough, and is marked as such.

// Codes of rules, in a word or two; explain prints the same words.
const RULE_WORDS = {'G2 G4': 'stream order', N1: 'NULL stream', N2: 'NULL stream', X1: 'queue order', A2: 'priority', R2: 'no room', R3: 'no room', 'R2 R3': 'no room', C2: 'copy queue'};

const RULE_TEXTS = {'G2 G4': 'operations of a stream run one after the other', N1: 'the NULL stream waits for older work of blocking streams', N2: 'blocking streams wait for older work of the NULL stream',
  X1: 'kernels of one priority start blocks in the order in which they were queued', A2: 'kernels of higher priority start their blocks first', R2: 'a block starts when an SM has enough threads, warps and block slots free',
  R3: 'a block starts when an SM has enough registers and shared memory free', C2: 'a copy engine does one copy after the other'};

// What the codes mean.
function ruleLegend() {
  return [element('h3', {text: 'Rules'}), factList(Object.entries(RULE_TEXTS)), element('p', {class: 'faint', text: '≈ marks rough explanations: the times of operations allow several causes.'})];
}

function isCode(rule) {
  return rule in RULE_WORDS;
}

// "queue order (X1)", "launch".
function shortRule(rule) {
  return isCode(rule) ? RULE_WORDS[rule] + ' (' + rule + ')' : rule;
}

function explanationOf(run, i) {
  if (!run.waits) {
    const text = run.find('waits-' + run.from);
    run.waits = text ? JSON.parse(text) : {list: [], reasons: [], resources: []};
  }
  const entry = run.waits.list[i];
  if (!entry) return null;
  const [exact, leftOut, leftNs, critical, ...waits] = entry;
  return {exact: Boolean(exact), leftOut, leftNs, critical, waits: waits.map((w) => readWait(run, w))};
}

function readWait(run, [reason, from, to, resources, holders, holderCount, size, least, gap, rough]) {
  const [rule, text] = run.waits.reasons[reason];
  const short = run.waits.resources.filter((name, bit) => resources >> bit & 1).map((name) => name.replace('_', ' '));
  let words = text;
  if (short.length) words += '; short of ' + short.join(' and ');
  if (least !== undefined && least !== null) words += '; ' + (size >= 0 ? formatBytes(size) + ' there, ' : '') + formatBytes(least) + ' needed';
  if (holderCount > 1 && gap > 0) words += ', one after the other; ' + formatTime(gap) + ' of it are gaps between them';
  return {rule, words, from, to, holders, more: holderCount - holders.length, rough: Boolean(rough), runs: rule === 'running' || rule === 'copying'};
}

// The command that explains an operation in full.
function explainCommand(run, i) {
  const quoted = (text) => "'" + text.replace(/'/g, "'\\''") + "'";
  return 'gridcast explain ' + (run.file ? quoted(run.file) : 'WORKLOAD') + ' ' + quoted(opName(run, i));
}

function holderName(run, holder) {
  return typeof holder[0] === 'number' ? opName(run, holder[0]) : holder[0];
}

// What the band below the axis shows: waits of the selected operation, or those that came with the page.
function shownWaits() {
  if (chosen.run && chosen.op >= 0) {
    const e = explanationOf(chosen.run, chosen.op);
    return {label: 'why ' + opName(chosen.run, chosen.op), run: chosen.run, waits: e ? e.waits : []};
  }
  const given = runs[0].given;
  if (!given) return null;
  const waits = given.waits.map((w) => ({rule: w.rule, words: w.reason, from: w.from, to: w.to, holders: w.holders ? [[w.op + ': ' + w.holders]] : [], runs: w.runs, more: 0}));
  return {label: given.label, run: runs[0], waits};
}

function drawWhy(c) {
  const y = AXIS + 8;
  const height = 22;
  c.fillStyle = theme.colours.ground;
  c.fillRect(0, AXIS, view.width, TOP - AXIS);
  c.font = '11px system-ui, sans-serif';
  const shown = shownWaits();
  c.textAlign = 'right';
  c.fillStyle = shown ? theme.colours.focus : theme.colours.faint;
  const label = shown ? shown.label : 'why';
  c.fillText(fitted(c, label, LABELS - 18), LABELS - 10, y + 15);
  c.textAlign = 'left';
  if (!shown || !shown.waits.length) {
    c.fillStyle = theme.colours.faint;
    c.fillText(shown && neverEnds(shown.run, chosen.op) ? 'it never ends: the run hangs' : shown ? 'this page does not explain it' : 'select an operation to see what it waited for', LABELS + 6, y + 15);
    return;
  }
  c.save();
  c.beginPath();
  c.rect(LABELS, AXIS, plotWidth(), TOP - AXIS);
  c.clip();
  shown.waits.forEach((w, n) => {
    const x0 = toX(w.from + shown.run.offset);
    const width = Math.max(1, toX(w.to + shown.run.offset) - x0 - 1);
    c.fillStyle = w.runs ? theme.colours.held : theme.colours.wait;
    c.fillRect(x0, y, width, height);
    if (!w.runs && n % 2) { // neighbours are told apart by an edge, not by colour
      c.fillStyle = theme.colours.waitEdge;
      c.fillRect(x0, y + height - 3, width, 3);
    }
    const holder = w.holders.length ? ' ' + holderName(shown.run, w.holders[0]) : '';
    drawInside(c, (w.rough ? '≈ ' : '') + shortRule(w.rule) + holder, Math.max(x0, LABELS), Math.min(x0 + width, view.width), y, height, w.runs ? theme.colours.ground : theme.colours.ink);
  });
  c.restore();
}

// The wait of the band at a place; null: none is there.
function waitAt(x, y) {
  const shown = y >= AXIS && y < TOP ? shownWaits() : null;
  if (!shown) return null;
  const time = toTime(x) - shown.run.offset;
  const slack = 2 * view.perPixel;
  const wait = shown.waits.find((w) => time >= w.from - slack && time <= w.to + slack);
  return wait ? {wait, run: shown.run} : null;
}
