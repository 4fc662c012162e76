// A run that hangs: from a time on nothing happens, and some operations never end. They are drawn up to then; nothing
// has an end, a duration or a response time that it does not have.

// Does a job never end?
function jobNeverEnds(run, job) {
  return Boolean(run.hang) && job[4] < 0;
}

// When a call returned; one that never does is drawn up to when the run hangs.
function returnOf(run, i) {
  return run.hang && run.backOf[i] < 0 && !run.skippedOf[i] ? run.hang.time : run.backOf[i];
}

// Was it called, and does it never end?
function neverEnds(run, i) {
  return Boolean(run.hang) && !run.skippedOf[i] && run.callOf[i] >= 0 && run.endOf[i] < 0;
}

// Does a block wait for ever?
function blockStays(row, k) {
  const i = row.op[k];
  return neverEnds(row.run, i) && row.end[k] - row.run.offset === row.run.hang.time;
}

// Up to when each operation is drawn.
function drawnEnds(run) {
  return run.hang ? run.endOf.map((end, i) => end < 0 && run.startOf[i] >= 0 ? run.hang.time : end) : run.endOf;
}

// What the run says of an operation: [row, blocks that wait, blocks that have not started, why]; undefined: nothing.
function hungOp(run, i) {
  return run.hang ? run.hang.ops.find((h) => h[0] === i) : undefined;
}

function hangText(run) {
  return '⚠ ' + (runs.length > 1 ? 'The ' + runWord(run) + ' run' : 'The run') + ' hangs at ' + formatTime(run.hang.time) + ': nothing happens after that. '
    + formatCount(run.hang.count, 'operation') + ' of the GPU never ' + (run.hang.count === 1 ? 'ends' : 'end') + '.';
}

// At the top of the page, for all runs that hang.
function showHang() {
  const box = byId('hang');
  box.textContent = runs.filter((run) => run.hang).map(hangText).join(' ');
  box.hidden = !box.textContent;
}

// All that is known of why, for what the page is about.
function hangList(run) {
  if (!run.hang) return [];
  const list = element('ul', {class: 'plain'});
  for (const [i, , , why] of run.hang.ops) {
    list.append(element('li', {}, element('button', {type: 'button', class: 'link alarm', text: opName(run, i), onclick: () => chooseOp(run, i, true)}), ': ' + why));
  }
  const more = run.hang.count - run.hang.ops.length;
  return [element('p', {class: 'alarm', text: hangText(run)}), list, ...(more > 0 ? [element('p', {text: formatCount(more, 'more operation') + ' never end.'})] : [])];
}

// In the place of why it ended when it did.
function whyNever(run, i) {
  const hung = hungOp(run, i);
  return [element('p', {class: 'alarm', text: '⚠ It never ends: the run hangs at ' + formatTime(run.hang.time) + '.'}), ...(hung ? [element('p', {text: hung[3] + '.'})] : [])];
}
