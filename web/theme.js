// Light and dark. Ops have the colours of gridcast's pictures, which people tell apart whatever cones they have; on a
// dark ground the dark ones are made lighter.

const THEMES = {
  light: {ground: '#ffffff', band: '#f4f5f7', line: '#d9dce1', ink: '#1f2328', faint: '#5c6570', alarm: '#b3261e',
    focus: '#0b57d0', later: '#b3470b', earlier: '#0b6e99', held: '#3f4650', wait: '#c9ced6', waitEdge: '#8a929d'},
  dark: {ground: '#15181c', band: '#1b1f25', line: '#333a43', ink: '#e6e9ee', faint: '#9aa4b1', alarm: '#ff8a80',
    focus: '#8ab4f8', later: '#ffb074', earlier: '#7fd1f5', held: '#c9d0da', wait: '#454e5a', waitEdge: '#828d9b'},
};

const theme = {name: 'light', chosen: null, colours: THEMES.light, opColours: new Map()};

function channel(rgb, shift) {
  return (rgb >> shift) & 255;
}

function luminance(rgb) {
  return (channel(rgb, 16) * 54 + channel(rgb, 8) * 183 + channel(rgb, 0) * 19) / 256;
}

function mix(rgb, other, part) {
  let out = 0;
  for (const shift of [16, 8, 0]) {
    out |= Math.round(channel(rgb, shift) * (1 - part) + channel(other, shift) * part) << shift;
  }
  return out;
}

function cssColour(rgb) {
  return '#' + (rgb & 0xffffff).toString(16).padStart(6, '0');
}

// The colour of an op of the workload: {rgb, css, ink}, where ink is readable on it.
function colourOf(run, op) {
  const key = run.number * 1e9 + op;
  let colour = theme.opColours.get(key);
  if (!colour) {
    const shown = run.ops[op <= KEY ? run.keys[KEY - op][1] : op];
    let rgb = op === LATE ? 0xb3261e : shown && shown.colour ? shown.colour : 0x8a8f98;
    if (theme.name === 'dark') rgb = mix(rgb, 0xffffff, luminance(rgb) < 110 ? 0.35 : 0.08);
    colour = {rgb, css: cssColour(rgb), ink: luminance(rgb) < 118 ? '#ffffff' : '#1f2328'};
    theme.opColours.set(key, colour);
  }
  return colour;
}

function applyTheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  theme.name = printing ? 'light' : theme.chosen || (dark ? 'dark' : 'light');
  theme.colours = THEMES[theme.name];
  theme.opColours.clear();
  document.documentElement.dataset.theme = theme.name;
  forgetTiles();
  requestDraw();
}

function switchTheme() {
  theme.chosen = theme.name === 'dark' ? 'light' : 'dark';
  applyTheme();
  say(theme.name + ' colours');
}

let printing = false;

function watchTheme() {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme);
  addEventListener('beforeprint', () => {
    printing = true;
    applyTheme();
    fillTableForPrint();
    resize();
    drawNow();
  });
  addEventListener('afterprint', () => {
    printing = false;
    applyTheme();
    resize();
    updateTable();
  });
}
