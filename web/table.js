// The table of operations. Of many rows only those in sight are elements.

const ROW = 24; // pixels
const table = {columns: [], order: null, run: null, by: 'start', down: false};

// Times are rounded, so that all columns fit; the element's title has the exact one.
function timeColumn(id, title, value) {
  const exact = (run, i) => value(run, i) === null ? '' : formatTime(value(run, i));
  return {id, title, number: true, value, exact, text: (run, i) => value(run, i) === null ? '' : formatRounded(value(run, i))};
}

function known(column) {
  return (run, i) => run[column][i] >= 0 ? run[column][i] : null;
}

// Of a run that hangs some operations have none.
function endColumn() {
  const column = timeColumn('end', 'end', known('endOf'));
  const orNever = (text) => (run, i) => neverEnds(run, i) ? 'did not end' : text(run, i);
  return {...column, text: orNever(column.text), exact: orNever(column.exact), isAlarm: neverEnds};
}

function buildColumns() {
  const columns = [
    {id: 'name', title: 'operation', value: (run, i) => opName(run, i), text: (run, i) => opName(run, i)},
    {id: 'kind', title: 'kind', value: (run, i) => opOf(run, i).kind, text: (run, i) => opOf(run, i).kind},
    {id: 'stream', title: 'stream', number: true, value: (run, i) => streamId(run, i), text: (run, i) => streamId(run, i) === null ? '' : String(streamId(run, i))},
    timeColumn('release', 'release', known('releaseOf')),
    timeColumn('start', 'start', known('startOf')),
    endColumn(),
    timeColumn('took', 'took', (run, i) => run.startOf[i] >= 0 && run.endOf[i] >= 0 ? run.endOf[i] - run.startOf[i] : null),
    timeColumn('response', 'response', (run, i) => responseOf(run, i) >= 0 ? responseOf(run, i) : null),
    {id: 'blocks', title: 'blocks', number: true, value: (run, i) => run.blocksOf[i], text: (run, i) => run.blocksOf[i] ? String(run.blocksOf[i]) : ''},
  ];
  if (runs[0].jobs.length) {
    const late = timeColumn('late', 'late', (run, i) => jobOf(run, i) ? lateness(jobOf(run, i)) : null);
    columns.push({...late, text: late.exact});
  }
  if (runs.length > 1) {
    const difference = (part) => (run, i) => differenceOf(run, i) ? differenceOf(run, i)[part] : null;
    columns.splice(1, 0, {...timeColumn('dstart', 'Δ start', difference('start')), signed: true}, {...timeColumn('dend', 'Δ end', difference('end')), signed: true});
  }
  table.columns = runs.length > 1 ? columns.filter((column) => !['release', 'kind', 'blocks'].includes(column.id)) : columns;
  table.run = runs[0];
  const head = byId('table-head');
  head.replaceChildren();
  for (const column of table.columns) {
    const button = element('button', {type: 'button', text: column.title, onclick: () => sortBy(column.id, table.by === column.id ? !table.down : false)});
    head.append(element('th', {scope: 'col', id: 'column-' + column.id, class: column.number ? 'number' : ''}, button));
  }
  sortBy(table.by, table.down);
}

function streamId(run, i) {
  const stream = opOf(run, i).stream;
  return stream === undefined ? null : run.streams[stream].id;
}

function sortBy(id, down) {
  const column = table.columns.find((c) => c.id === id) || table.columns[0];
  const run = table.run;
  Object.assign(table, {by: column.id, down});
  const values = Array.from({length: run.count}, (_, i) => column.value(run, i));
  const way = down ? -1 : 1;
  const listed = [...values.keys()].filter((i) => !search.ops || search.ops[run.number][i]);
  table.order = listed.sort((a, b) => {
    const x = values[a];
    const y = values[b];
    if (x === y) return a - b;
    if (x === null || y === null) return x === null ? 1 : -1; // what has no value is last
    return (x < y ? -1 : 1) * way;
  });
  for (const c of table.columns) {
    byId('column-' + c.id).setAttribute('aria-sort', c.id !== column.id ? 'none' : down ? 'descending' : 'ascending');
  }
  byId('table-scroll').scrollTop = 0;
  byId('table-count').textContent = formatCount(table.order.length, 'operation') + (run.leftOut ? '; ' + run.leftOut.toLocaleString('en') + ' more are not in this page' : '') + '. Times are rounded; hover over one to see it in full.';
  updateTable();
}

function tableRow(place) {
  const run = table.run;
  const i = table.order[place];
  const row = element('tr', {'data-op': i, tabindex: run === chosen.run && i === chosen.op ? '0' : '-1', 'aria-rowindex': place + 2,
    'aria-selected': String(run === chosen.run && i === chosen.op), onclick: () => chooseOp(run, i, true)});
  for (const column of table.columns) {
    const value = column.signed ? column.value(run, i) : null;
    const text = column.signed && value !== null ? (value > 0 ? '+' : value < 0 ? '−' : '±') + formatRounded(Math.abs(value)) : column.text(run, i);
    const late = column.isAlarm ? column.isAlarm(run, i) : column.id === 'late' && column.value(run, i) > 0;
    row.append(element('td', {class: (column.number ? 'number' : '') + (late ? ' alarm' : ''), text: late ? '⚠ ' + text : text, title: column.exact ? column.exact(run, i) : text}));
  }
  return row;
}

function fillTable(first, last) {
  const count = table.order.length;
  byId('table-before').style.height = first * ROW + 'px';
  byId('table-after').style.height = (count - last) * ROW + 'px';
  const list = [];
  for (let place = first; place < last; place++) list.push(tableRow(place));
  const focused = document.activeElement.closest('#table-rows tr');
  byId('table-rows').replaceChildren(...list);
  const again = focused && list.find((row) => row.dataset.op === focused.dataset.op);
  if (again) again.focus({preventScroll: true}); // the row is another element now
  byId('table').setAttribute('aria-rowcount', count + 1);
  if (!list.some((row) => row.tabIndex === 0) && list.length) list[0].tabIndex = 0;
}

function updateTable() {
  const box = byId('table-scroll');
  if (!table.order || byId('tab-operations').getAttribute('aria-selected') !== 'true') return;
  const first = Math.max(0, Math.floor(box.scrollTop / ROW) - 5);
  fillTable(first, Math.min(table.order.length, first + Math.ceil(box.clientHeight / ROW) + 12));
}

// On paper: up to a thousand rows.
function fillTableForPrint() {
  if (table.order) fillTable(0, Math.min(table.order.length, 1000));
}

// Shows in the table what is selected, without moving the table.
function markTable() {
  for (const row of byId('table-rows').children) {
    row.setAttribute('aria-selected', String(table.run === chosen.run && Number(row.dataset.op) === chosen.op));
  }
}

// The row above or below gets the focus, and is scrolled to.
function moveInTable(row, by) {
  const place = clamp(Number(row.getAttribute('aria-rowindex')) - 2 + by, 0, table.order.length - 1);
  const box = byId('table-scroll');
  const y = place * ROW;
  if (y < box.scrollTop) box.scrollTop = y;
  else if (y + 3 * ROW > box.scrollTop + box.clientHeight) box.scrollTop = y + 3 * ROW - box.clientHeight;
  updateTable();
  const next = byId('table-rows').querySelector('[aria-rowindex="' + (place + 2) + '"]');
  if (next) next.focus();
}

function watchTable() {
  byId('table-scroll').addEventListener('scroll', () => requestAnimationFrame(updateTable));
  byId('table-rows').addEventListener('keydown', (event) => {
    const row = event.target.closest('tr');
    const moves = {ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15, Home: -1e9, End: 1e9};
    if (moves[event.key]) {
      event.preventDefault();
      event.stopPropagation();
      moveInTable(row, moves[event.key]);
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      event.stopPropagation();
      chooseOp(table.run, Number(row.dataset.op), true);
    }
  });
}
