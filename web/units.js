// Small helpers: times and sizes in words, elements of the page.

function trimmed(value, digits) {
  return String(+value.toFixed(digits));
}

// Nanoseconds, exact: "850 ns", "12.004 ms".
function formatTime(ns) {
  const size = Math.abs(ns);
  if (size < 1e3) return trimmed(ns, 3) + ' ns';
  if (size < 1e6) return trimmed(ns / 1e3, 3) + ' µs';
  if (size < 1e9) return trimmed(ns / 1e6, 6) + ' ms';
  return trimmed(ns / 1e9, 9) + ' s';
}

// The same with at most four digits.
function formatRounded(ns) {
  const size = Math.abs(ns);
  const [unit, word] = size < 1e3 ? [1, ' ns'] : size < 1e6 ? [1e3, ' µs'] : size < 1e9 ? [1e6, ' ms'] : [1e9, ' s'];
  const value = ns / unit;
  return trimmed(value, Math.max(0, 4 - String(Math.floor(Math.abs(value))).length)) + word;
}

function formatDifference(ns) {
  return (ns > 0 ? '+' : ns < 0 ? '−' : '±') + formatTime(Math.abs(ns));
}

function formatBytes(bytes) {
  if (bytes >= 1048576 && bytes % 1048576 === 0) return bytes / 1048576 + ' MiB';
  if (bytes >= 1024 && bytes % 1024 === 0) return bytes / 1024 + ' KiB';
  return bytes + ' bytes';
}

function formatCount(count, word) {
  return count.toLocaleString('en') + ' ' + word + (count === 1 ? '' : 's');
}

function formatShare(share) {
  return trimmed(share * 100, share < 0.1 ? 2 : 1) + ' %';
}

function byId(id) {
  return document.getElementById(id);
}

// An element. Text from files goes in by textContent only, never as markup.
function element(tag, given, ...children) {
  const e = document.createElement(tag);
  for (const key of Object.keys(given || {})) {
    if (key === 'text') e.textContent = given.text;
    else if (key.startsWith('on')) e.addEventListener(key.slice(2), given[key]);
    else if (given[key] !== undefined && given[key] !== false) e.setAttribute(key, given[key] === true ? '' : given[key]);
  }
  e.append(...children);
  return e;
}

function clamp(value, low, high) {
  return Math.max(low, Math.min(high, value));
}

// The first index from `low` to `high` at which a rising array is above `value`.
function firstAbove(array, value, low, high) {
  while (low < high) {
    const middle = (low + high) >> 1;
    if (array[middle] > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

// The first index at which a rising array is not below `value`.
function firstFrom(array, value, low, high) {
  while (low < high) {
    const middle = (low + high) >> 1;
    if (array[middle] >= value) high = middle;
    else low = middle + 1;
  }
  return low;
}
