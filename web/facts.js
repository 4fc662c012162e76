// All that is known of an operation, a block, a job or a moment; and the panel and the tip that show it.

function timeFact(facts, name, run, column, i) {
  if (column[i] < 0) return;
  const moved = run.hostZero && (column === run.releaseOf || column === run.callOf || column === run.backOf);
  facts.push([name, moved ? '≈ ' + formatTime(column[i]) + ' ± ' + formatTime((run.hostZero[1] - run.hostZero[0]) / 2) + ' (host clock, converted)' : formatTime(column[i])]);
}

function opFacts(run, i) {
  const op = opOf(run, i);
  const facts = [['kind', op.kind + (op.direction ? ' ' + op.direction : '')]];
  if (runs.length > 1) facts.push(['run', runWord(run)]);
  if (op.stream !== undefined) facts.push(['stream', run.streams[op.stream].name]);
  if (op.host !== undefined) facts.push(['host', run.hosts[op.host]]);
  if (op.task !== undefined) facts.push(['task', run.tasks[op.task].name + ', job ' + run.jobOf[i]]);
  if (run.skippedOf[i]) facts.push(['called', 'never']);
  timeFact(facts, 'release', run, run.releaseOf, i);
  timeFact(facts, 'call', run, run.callOf, i);
  timeFact(facts, 'call returned', run, run.backOf, i);
  timeFact(facts, 'arrived at its stream', run, run.arriveOf, i);
  timeFact(facts, 'head of its stream', run, run.headOf, i);
  timeFact(facts, 'entered its engine’s queue', run, run.enterOf, i);
  timeFact(facts, 'start', run, run.startOf, i);
  timeFact(facts, 'fully dispatched', run, run.dispatchedOf, i);
  timeFact(facts, 'end', run, run.endOf, i);
  if (neverEnds(run, i)) facts.push(['end', 'never: the run hangs at ' + formatTime(run.hang.time)]);
  if (run.startOf[i] >= 0 && run.endOf[i] >= 0) facts.push(['took', formatTime(run.endOf[i] - run.startOf[i])]);
  if (responseOf(run, i) >= 0) facts.push(['response time', formatTime(responseOf(run, i))]);
  addJobFacts(facts, run, jobOf(run, i));
  if (op.kind === 'kernel') addKernelFacts(facts, run, i, op);
  if (op.bytes) facts.push(['size', formatBytes(op.bytes)]);
  if (run.engineOf[i] >= 0) facts.push(['copy engine', run.engineOf[i]]);
  if (run.connectionOf[i] >= 0) facts.push(['connection', run.connectionOf[i]]);
  if (op.after) facts.push(['after', op.after.map((k) => run.ops[k].label).join(', ')]);
  const extra = run.extra.get(i);
  if (extra && extra.parent >= 0) facts.push(['launched by', opName(run, extra.parent) + ', block ' + extra.parentBlock], ['items', extra.items]);
  addDifference(facts, run, i);
  return facts;
}

function addJobFacts(facts, run, job) {
  if (!job) return;
  const late = lateness(job);
  facts.push(['deadline', formatTime(job[3])]);
  facts.push(late === null ? ['job', run.hang ? 'never ends' : 'did not end'] : late > 0 ? ['missed by', formatTime(late)] : ['before its deadline by', formatTime(-late)]);
}

function addKernelFacts(facts, run, i, op) {
  facts.push(['grid', op.grid.join(' × ')], ['block', op.block.join(' × ') + ' = ' + formatCount(op.threads, 'thread')]);
  facts.push(['blocks', run.blocksOf[i].toLocaleString('en')]);
  const hung = hungOp(run, i);
  if (hung) facts.push(['of them', hung[1].toLocaleString('en') + ' wait forever, ' + hung[2].toLocaleString('en') + ' never start']);
  facts.push(['registers per thread', op.regs]);
  facts.push(['shared memory per block', formatBytes(op.smem)], ['share of an SM', formatShare(op.share / SHARE_ALL)]);
  if (op.policy) facts.push(['policy', op.policy]);
  const extra = run.extra.get(i);
  if (extra && extra.workers) facts.push(['workers', extra.workers + ', ' + extra.retreated + ' retreated, ' + extra.repaired + ' jobs repaired']);
}

function addDifference(facts, run, i) {
  const d = differenceOf(run, i);
  if (d) facts.push(['second run starts', formatDifference(d.start)], ['second run ends', formatDifference(d.end)], ['second run takes', formatDifference(d.length)]);
  else if (runs.length > 1) facts.push(['in the other run', run.pair[i] < 0 ? 'it does not exist' : 'one of the two did not run, or never ends']);
}

function blockFacts(row, k) {
  return [['block', row.block[k].toLocaleString('en')], ['SM', row.sm], ['start', formatTime(row.start[k] - row.run.offset)],
    ...(blockStays(row, k) ? [['end', 'it waits forever']] : [['end', formatTime(row.end[k] - row.run.offset)], ['took', formatTime(row.end[k] - row.start[k])]])];
}

function jobFacts(run, k) {
  const job = run.jobs[k];
  const facts = [['release', formatTime(job[2])]];
  if (job[4] >= 0) facts.push(['end', formatTime(job[4])], ['response time', formatTime(job[4] - job[2])]);
  addJobFacts(facts, run, job);
  return facts;
}

// What a place shows: {title, facts}; null: nothing.
function describe(found) {
  if (!found) return null;
  const {row, at, time} = found;
  if (found.label) return {title: row.label, facts: runs.length > 1 ? [['run', runWord(row.run)]] : []};
  if (at >= 0 && row.kind === 'task') return {title: row.label + '#' + row.run.jobs[row.op[at]][1], facts: jobFacts(row.run, row.op[at])};
  if (at >= 0 && row.block) return {title: spanText(row, at), facts: [...blockFacts(row, at), ...opFacts(row.run, row.op[at])]};
  if (at >= 0) return {title: opName(row.run, row.op[at]), facts: opFacts(row.run, row.op[at])};
  if ((row.kind === 'use' || row.kind === 'sm') && !isKnown(row.run, time)) return {title: row.label, facts: [[formatTime(Math.round(time - row.run.offset)), 'not in this page']]};
  if (row.kind === 'use') return {title: row.label + ' of ' + smWords(row.run), facts: useFacts(row, time)};
  if (row.kind !== 'sm') return null;
  const [from, to] = knownPart(row.run, ...smSpan(row, time));
  const held = [...heldBetween(row, from, to)].sort((a, b) => b[1] - a[1]);
  const facts = meanFacts(row, from, to);
  for (const [kernel, share] of held.slice(0, 8)) facts.push([kernelName(row.run, kernel), formatShare(share)]);
  if (held.length > 8) facts.push([formatCount(held.length - 8, 'more kernel'), formatShare(held.slice(8).reduce((sum, h) => sum + h[1], 0))]);
  return {title: row.label, facts};
}

// Of what time something is the mean.
function meanFacts(row, from, to) {
  const exact = (time) => formatTime(Math.round((time - row.run.offset) * 1000) / 1000);
  return [['mean from', exact(from)], ['to', exact(to)]];
}

function useFacts(row, time) {
  const [from, to] = knownPart(row.run, ...useSpan(row, time));
  const share = meanUse(row.run, from, to)[USE_KEYS.indexOf(row.resource)];
  const amount = share * capacityOf(row.run, row.resource);
  const words = row.resource === 'smem' ? formatBytes(Math.round(amount)) : trimmed(amount, 1);
  return [...meanFacts(row, from, to), ['in use', formatShare(share)], [row.label, words + ' of ' + (row.resource === 'smem' ? formatBytes(capacityOf(row.run, 'smem')) : capacityOf(row.run, row.resource).toLocaleString('en'))]];
}

function factList(facts) {
  const list = element('dl', {class: 'facts'});
  for (const [name, value] of facts) list.append(element('dt', {text: name}), element('dd', {text: String(value)}));
  return list;
}

// The explanation as a list: each wait with its time, rule, words, and who held it, as buttons.
function whyList(run, i) {
  const e = explanationOf(run, i);
  const box = element('section', {class: 'why', 'aria-label': 'Why it ended when it did'});
  box.append(element('h3', {text: neverEnds(run, i) ? 'Why it never ends' : 'Why it ended when it did'}));
  if (neverEnds(run, i)) {
    box.append(...whyNever(run, i));
    return box;
  }
  if (!e) {
    box.append(...notExplained(run, i));
    return box;
  }
  const total = e.waits.reduce((sum, w) => sum + w.to - w.from, e.leftNs);
  const list = element('ol');
  for (const w of e.waits) list.append(whyItem(run, i, w, total));
  box.append(list);
  if (e.leftOut) box.append(element('p', {class: 'faint', text: formatCount(e.leftOut, 'more wait') + ', none longer than these, together ' + formatTime(e.leftNs) + ', ' + (e.leftOut === 1 ? 'is' : 'are') + ' not listed.'}));
  if (!e.exact) {
    const rough = '≈ Rough explanation: it uses the times of operations, not of blocks. If these times allow several causes, the line names all of them.';
    if (run.hang) box.append(element('p', {class: 'rough', text: rough + ' A run that hangs has no exact explanation.'}));
    else box.append(element('p', {class: 'rough', text: rough + ' For the exact explanation, run this command with the options of this page:'}), element('code', {text: explainCommand(run, i)}));
  }
  return box;
}

// What is said of an operation that the page does not explain.
function notExplained(run, i) {
  if (run.skippedOf[i]) return [element('p', {text: 'It was never called.'})];
  if (run.source !== 'simulated') return [element('p', {text: 'Not known: the run was ' + run.source + ', and a GPU does not report why operations wait.'})];
  if (run.hang) return [element('p', {text: 'Not explained: in a run that hangs, the times of operations do not show it.'})];
  return [element('p', {text: 'This page does not explain it. Run this command with the options of this page:'}), element('code', {text: explainCommand(run, i)})];
}

function whyItem(run, i, w, total) {
  const item = element('li', {class: w.runs ? 'runs' : ''});
  item.append(element('span', {class: 'time', text: (w.rough ? '≈ ' : '') + formatTime(w.to - w.from)}), element('span', {class: 'bar'}));
  if (isCode(w.rule)) item.append(w.words + ' (rule ', element('b', {text: w.rule}), ')');
  else item.append(element('b', {text: w.rule}), ': ' + w.words);
  item.querySelector('.bar').style.width = Math.max(1, Math.round(60 * (w.to - w.from) / Math.max(1, total))) + 'px';
  for (const holder of w.holders) {
    const blocks = holder[1] ? ' (' + formatCount(holder[1], 'block') + ' on ' + formatCount(holder[2], 'SM') + ')' : '';
    if (typeof holder[0] === 'number' && holder[0] !== i) {
      item.append(' ', element('button', {type: 'button', class: 'link', text: opName(run, holder[0]) + blocks, 'data-op': holder[0], onclick: () => chooseOp(run, holder[0], true)}));
    } else {
      item.append(' ' + holderName(run, holder) + blocks);
    }
  }
  if (w.more > 0) item.append(' and ' + formatCount(w.more, 'operation') + (w.words.includes('one after the other') ? ' before it' : ' more'));
  return item;
}

// What came with the page: why something ended when it did.
function showGiven(box) {
  const given = runs[0].given;
  if (!given) return;
  const shown = shownWaits();
  const total = shown.waits.reduce((sum, w) => sum + w.to - w.from, 0);
  const list = element('ol');
  for (const w of shown.waits) list.append(whyItem(shown.run, -1, w, total));
  box.append(element('h2', {text: given.title}), element('section', {class: 'why', 'aria-label': given.label}, element('h3', {text: given.label}), list));
}

function showFacts() {
  const box = byId('facts');
  box.replaceChildren();
  if (!chosen.run) {
    showGiven(box);
    box.append(element('p', {class: 'faint hint', text: 'Select an operation: click it, or use n and p along a row, j and k from row to row.'}));
    return;
  }
  const shown = chosen.row ? describe({row: chosen.row, at: chosen.at}) : {title: opName(chosen.run, chosen.op), facts: opFacts(chosen.run, chosen.op)};
  box.append(element('h2', {text: shown.title}));
  if (chosen.op >= 0) box.append(whyList(chosen.run, chosen.op));
  box.append(factList(shown.facts));
  showTab('facts');
  const brief = shown.facts.filter(([name]) => ['kind', 'start', 'end', 'took', 'missed by', 'response time'].includes(name));
  say(shown.title + ': ' + brief.map((f) => f.join(' ')).join(', '));
}

function showTip(x, y) {
  const tip = byId('tip');
  const at = waitAt(x, y);
  let shown = describe(pick(x, y));
  if (at) {
    shown = {title: (at.wait.rough ? '≈ ' : '') + shortRule(at.wait.rule), facts: [['reason', at.wait.words], ['from', formatTime(at.wait.from)], ['to', formatTime(at.wait.to)],
      ['for', formatTime(at.wait.to - at.wait.from)], ['held by', at.wait.holders.map((h) => holderName(at.run, h)).join(', ') || '–']]};
  }
  tip.hidden = !shown;
  if (!shown) return;
  tip.replaceChildren(element('b', {text: shown.title}), factList(shown.facts));
  const box = tip.getBoundingClientRect();
  tip.style.left = clamp(x + 14, 4, Math.max(4, view.width - box.width - 4)) + 'px';
  tip.style.top = clamp(y + overview.height + 16, 4, Math.max(4, view.height + overview.height - box.height - 4)) + 'px';
}

// For readers of the screen, and for eyes below the timeline.
function say(text) {
  byId('live').textContent = text;
}
