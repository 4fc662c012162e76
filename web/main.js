// Puts the page together.

function fillHead() {
  const run = runs[0];
  byId('name').textContent = byId('name').title = run.name;
  byId('summary').textContent = run.summary + ' · ' + (run.gpu.title || run.gpu.name) + ' · ' + run.source;
  showHang();
}

const PAGE_BLOCKS = 2000000; // that a page has one by one

// How the page shows blocks, and why so.
function blocksNote(run) {
  const count = formatCount(run.blockCount, 'block') + (run.shown[3] - run.shown[2] + 1 < run.gpu.sms ? ' on ' + smWords(run) : '');
  if (run.blocks === 'none') return 'Blocks are not recorded.';
  if (run.blocks === 'each') return count + ', each in this page.';
  const why = run.blockCount > PAGE_BLOCKS ? ': too many for one page.' : run.leftOut ? ', but some of their operations are not in this page.' : '; the run has too many blocks to record each one.';
  return count + why + ' Rows of SMs and of resources show means over fixed steps of time (exact sums of all blocks); --time-range shows a part block by block'
    + (run.blockCount > PAGE_BLOCKS && !run.leftOut ? '; --sm-range may do so, too.' : '.');
}

// What the page has, and what it has not.
function fillAbout() {
  const box = byId('about');
  box.replaceChildren();
  runs.forEach((run) => {
    box.append(element('h2', {text: run.name}), element('p', {text: run.summary}), ...hangList(run));
    box.append(element('p', {id: 'blocks-note-' + run.number, text: blocksNote(run)}));
    if (run.leftOut) box.append(element('p', {class: 'alarm', text: formatCount(run.leftOut, 'operation') + ' more are not in this page; --time-range chooses a part.'}));
    const facts = [['GPU', run.gpu.title || run.gpu.name], ['SMs', run.gpu.sms], ['threads per SM', run.gpu.threads],
      ['registers per SM', run.gpu.registers], ['shared memory per SM', formatBytes(run.gpu.smem)], ['operations', run.count + run.leftOut]];
    if (run.given) facts.push(['shows', run.given.title]);
    box.append(factList(facts));
    for (const note of run.notes) box.append(element('p', {text: note}));
  });
  box.append(...ruleLegend());
}

// Jobs with deadlines, the late ones first.
function fillJobs() {
  const run = runs[0];
  const late = run.jobs.map((job, k) => k).filter((k) => lateness(run.jobs[k]) > 0).sort((a, b) => lateness(run.jobs[b]) - lateness(run.jobs[a]));
  byId('tab-jobs').hidden = !run.jobs.length;
  const box = byId('jobs');
  const open = run.jobs.filter((job) => lateness(job) === null).length;
  const met = run.jobs.length - late.length - open;
  const words = [late.length ? formatCount(late.length, 'job') + ' of ' + run.jobs.length + ' missed the deadline' + (open ? '; ' : ':') : '',
    !open ? '' : run.hang ? '⚠ ' + formatCount(open, 'job') + ' never ended, because the run hangs' + (late.length ? '; missed:' : '. ')
      : formatCount(open, 'job') + ' did not end in this run: whether they meet the deadline is not known' + (late.length ? '; missed:' : '. '),
    !late.length ? (open ? formatCount(met, 'other job') + ' met the deadline.' : 'All ' + run.jobs.length + ' jobs of this page met their deadlines.') : ''];
  box.replaceChildren(element('p', {class: open && run.hang ? 'alarm' : '', text: words.join('')}));
  const list = element('ul', {class: 'plain'});
  for (const k of late.slice(0, 500)) {
    const job = run.jobs[k];
    list.append(element('li', {}, element('button', {type: 'button', class: 'link alarm', text: '⚠ ' + job[6] + '#' + job[1] + ' late by ' + formatTime(lateness(job)), onclick: () => chooseJob(run, k)})));
  }
  for (const [k, job] of [...run.jobs.entries()].filter(([, one]) => jobNeverEnds(run, one)).slice(0, 500)) {
    list.append(element('li', {}, element('button', {type: 'button', class: 'link alarm', text: '⚠ ' + job[6] + '#' + job[1] + ' never ends', onclick: () => chooseJob(run, k)})));
  }
  box.append(list);
}

function watchButtons() {
  const acts = {'zoom-in': () => zoomCentre(1 / 1.5), 'zoom-out': () => zoomCentre(1.5), 'zoom-all': showAll, theme: switchTheme,
    print: () => window.print(), 'show-help': showHelp, 'close-help': () => byId('help').close(),
    second: () => byId('second-file').click(),
    'compare-mode': () => {
      setCompareMode(compareMode === 'over' ? 'below' : 'over');
      byId('compare-mode').textContent = compareMode === 'over' ? 'Show below' : 'Show over first';
      say(compareMode === 'over' ? 'the second run is drawn over the first, in outlines' : 'the second run is below the first');
    },
    'hide-panel': () => {
      const hidden = document.body.classList.toggle('wide');
      byId('hide-panel').setAttribute('aria-expanded', String(!hidden));
      resize();
    }};
  for (const id of Object.keys(acts)) byId(id).addEventListener('click', acts[id]);
  byId('second-file').addEventListener('change', (event) => {
    if (event.target.files.length) openSecond(event.target.files[0]);
    event.target.value = '';
  });
}

function main() {
  performance.mark('loaded');
  const first = readRun(findInPage, 0, 0);
  performance.mark('read');
  byId('app').hidden = false;
  runs.push(first);
  const second = byId('run-1') ? readRun(findInPage, 1, 1) : null;
  fillHead();
  watchTheme();
  watchPointers();
  watchKeys();
  watchTable();
  watchSearch();
  watchButtons();
  if (second) addRun(second);
  else makeAllGroups();
  performance.mark('rows');
  resize();
  showAll();
  buildColumns();
  fillAbout();
  fillJobs();
  showFacts();
  applyTheme();
  new ResizeObserver(resize).observe(byId('chart'));
  // For tests, and for the curious: reads only.
  Object.defineProperty(window, 'gridcastPage', {value: Object.freeze({
    state: () => ({t0: view.t0, perPixel: view.perPixel, scroll: view.scroll, width: view.width, height: view.height, rowsHeight: view.rowsHeight,
      chosen: chosen.op, job: chosen.job, runs: runs.length, mode: compareMode, theme: theme.name, frames: drawn.frames, firstMs: drawn.firstMs, complete: drawn.complete,
      groups: groups.map((g) => ({id: g.id, run: g.run.number, rows: g.rows.length, folded: g.folded, tiles: Boolean(g.byTiles), hidden: Boolean(g.hidden)}))}),
    // the mean use of the first run's resources from t0 to t1, as the rows show it
    use: (t0, t1) => meanUse(runs[0], t0, t1),
    place: (label) => {
      const i = [...Array(runs[0].count).keys()].find((k) => opName(runs[0], k) === label && runs[0].placeRow[k]);
      return i === undefined ? null : placeOf(runs[0], i, (runs[0].startOf[i] + runs[0].drawnEndOf[i]) / 2 + runs[0].offset);
    },
  })});
}

main();
