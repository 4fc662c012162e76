// Mouse, pen and touch: one pointer pans, two zoom, the wheel scrolls and zooms.

const pointers = new Map(); // those that are down: id to {x, y}
const drag = {moved: 0, distance: 0};
let hover = null; // where the pointer rests, {x, y}; null: nowhere, or it drags

function spotOf(event) {
  const box = byId('canvas').getBoundingClientRect();
  return {x: event.clientX - box.left, y: event.clientY - box.top};
}

function pinch() {
  const [a, b] = [...pointers.values()];
  return {x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, distance: Math.max(10, Math.hypot(a.x - b.x, a.y - b.y))};
}

function hideTip() {
  hover = null;
  byId('tip').hidden = true;
}

// The view has changed under a pointer that rests: the tip says what is there now.
function refreshTip() {
  if (hover && !printing) showTip(hover.x, hover.y);
}

function pointerDown(event) {
  byId('canvas').focus({preventScroll: true});
  try {
    event.target.setPointerCapture(event.pointerId);
  } catch (error) {
    // a pointer that is gone already cannot be captured
  }
  pointers.set(event.pointerId, spotOf(event));
  drag.moved = 0;
  if (pointers.size === 2) drag.distance = pinch().distance;
}

function pointerMove(event) {
  const spot = spotOf(event);
  const before = pointers.get(event.pointerId);
  if (!before) {
    hover = event.pointerType === 'touch' ? null : spot;
    showTip(spot.x, spot.y);
    return;
  }
  hideTip();
  const middle = pointers.size === 2 ? pinch() : null;
  pointers.set(event.pointerId, spot);
  if (middle) {
    const now = pinch();
    zoomAt(now.x, middle.distance / now.distance);
    panBy(middle.x - now.x);
    scrollBy(middle.y - now.y);
    drag.moved = 99;
    return;
  }
  drag.moved += Math.abs(spot.x - before.x) + Math.abs(spot.y - before.y);
  if (drag.moved < 4) return;
  panBy(before.x - spot.x);
  scrollBy(before.y - spot.y);
}

function pointerUp(event) {
  const spot = pointers.get(event.pointerId);
  pointers.delete(event.pointerId);
  if (!spot || drag.moved >= 4 || event.type !== 'pointerup') return;
  const found = pick(spot.x, spot.y);
  if (found && found.at >= 0) choose(found.row, found.at);
  else if (found && !found.label && found.row.kind === 'sm') showSpan(found.time - 40 * view.perPixel, found.time + 40 * view.perPixel);
  else if (!waitAt(spot.x, spot.y)) clearChosen();
}

// With Ctrl, or where all rows are in sight, the wheel zooms; else it scrolls the rows; sideways, or with Shift, it pans.
function wheel(event) {
  event.preventDefault();
  const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? view.height : 1;
  const dx = (event.shiftKey ? event.deltaY || event.deltaX : event.deltaX) * unit;
  const dy = event.shiftKey ? 0 : event.deltaY * unit;
  const {x} = spotOf(event);
  if (dx) panBy(dx);
  if (!dy) return;
  if (event.ctrlKey || event.metaKey || view.rowsHeight <= view.height - TOP) zoomAt(Math.max(x, LABELS), Math.pow(1.0025, clamp(dy, -400, 400)));
  else scrollBy(dy);
}

function moveOverview(event) {
  if (!event.buttons) return;
  const x = event.clientX - byId('overview').getBoundingClientRect().left;
  setView(overviewTime(x) - plotWidth() * view.perPixel / 2, view.perPixel);
}

function watchPointers() {
  const canvas = byId('canvas');
  canvas.addEventListener('pointerdown', pointerDown);
  canvas.addEventListener('pointermove', pointerMove);
  canvas.addEventListener('pointerup', pointerUp);
  canvas.addEventListener('pointercancel', pointerUp);
  canvas.addEventListener('pointerleave', hideTip);
  canvas.addEventListener('dblclick', (event) => zoomAt(spotOf(event).x, 1 / 3));
  byId('chart').addEventListener('wheel', wheel, {passive: false});
  byId('overview').addEventListener('pointerdown', moveOverview);
  byId('overview').addEventListener('pointermove', moveOverview);
}
