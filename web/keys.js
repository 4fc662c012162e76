// The keyboard: all that the pointer can do.

const KEYS = {
  ArrowLeft: () => panBy(-plotWidth() / 8),
  ArrowRight: () => panBy(plotWidth() / 8),
  ArrowUp: () => scrollBy(-40),
  ArrowDown: () => scrollBy(40),
  PageUp: () => scrollBy(-view.height * 0.8),
  PageDown: () => scrollBy(view.height * 0.8),
  Home: () => panBy(-1e9),
  End: () => panBy(1e9),
  a: () => panBy(-plotWidth() / 8),
  d: () => panBy(plotWidth() / 8),
  w: () => zoomCentre(1 / 1.5),
  s: () => zoomCentre(1.5),
  '+': () => zoomCentre(1 / 1.5),
  '=': () => zoomCentre(1 / 1.5),
  '-': () => zoomCentre(1.5),
  0: () => showAll(),
  f: () => showChosen(),
  n: () => stepAlong(1),
  p: () => stepAlong(-1),
  j: () => stepAcross(1),
  k: () => stepAcross(-1),
  '/': () => byId('search').focus(),
  '>': () => nextMatch(1),
  '<': () => nextMatch(-1),
  h: () => switchHeights(),
  c: () => runs.length > 1 && byId('compare-mode').click(),
  t: () => switchTheme(),
  o: () => showTab('operations', true),
  Enter: () => focusWhy(),
  Escape: () => leave(),
  '?': () => showHelp(),
};

// Around the selected operation where it is in sight, else around the middle.
function zoomCentre(factor) {
  const row = chosen.row;
  const x = row ? toX((row.start[chosen.at] + row.end[chosen.at]) / 2) : 0;
  zoomAt(x > LABELS && x < view.width ? x : LABELS + plotWidth() / 2, factor);
}

function showChosen() {
  if (chosen.row) showSpan(chosen.row.start[chosen.at], chosen.row.end[chosen.at]);
}

function switchHeights() {
  tallRows = !tallRows;
  forgetTiles();
  layoutRows();
}

// The explanation of the selected operation; where none is selected, the first one in sight is.
function focusWhy() {
  if (!chosen.run) stepAlong(0);
  showTab('facts', true);
}

function leave() {
  hideTip();
  if (byId('help').open) byId('help').close();
  else if (document.activeElement !== byId('canvas')) byId('canvas').focus();
  else clearChosen();
}

function showHelp() {
  byId('help').showModal();
}

function foldByNumber(key) {
  const shown = groups.filter((group) => !group.hidden);
  const group = shown[Number(key) - 1];
  if (group) toggleGroup(group);
}

function watchKeys() {
  addEventListener('keydown', (event) => {
    const typing = event.target.closest('input, select, dialog');
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (typing && event.key !== 'Escape') return;
    const button = event.target.closest('button, [role="tab"]');
    if (button && (event.key === 'Enter' || event.key === ' ')) return;
    const inPanel = event.target.closest('#panel');
    if (inPanel && ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'].includes(event.key)) return;
    const act = /^[1-9]$/.test(event.key) ? () => foldByNumber(event.key) : KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  for (const tab of document.querySelectorAll('[role="tab"]')) {
    tab.addEventListener('click', () => showTab(tab.id.slice(4)));
    tab.addEventListener('keydown', (event) => {
      const tabs = [...document.querySelectorAll('[role="tab"]')];
      const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
      if (!by) return;
      const next = tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length];
      showTab(next.id.slice(4));
      next.focus();
      event.stopPropagation();
    });
  }
}

function showTab(name, focus) {
  const wasTable = document.body.classList.contains('table');
  for (const tab of document.querySelectorAll('[role="tab"]')) {
    const active = tab.id === 'tab-' + name;
    tab.setAttribute('aria-selected', String(active));
    tab.tabIndex = active ? 0 : -1;
    byId('panel-' + tab.id.slice(4)).hidden = !active;
  }
  if (document.body.classList.toggle('table', name === 'operations') !== wasTable) resize(); // the table is wider
  if (name === 'operations') updateTable();
  if (!focus) return;
  const target = name === 'operations' ? byId('table-rows').querySelector('tr[tabindex="0"]') : byId('panel-' + name);
  if (target) target.focus();
}
