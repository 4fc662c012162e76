// The data of the page: JSON and base64 in script elements that no browser runs.

function decodeBase64(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

// Reads numbers of variable length: seven bits a byte, the lowest first.
class NumberReader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  number() {
    const bytes = this.bytes;
    let byte = bytes[this.at++];
    if (byte < 128) return byte;
    let value = byte & 127;
    let unit = 128;
    do {
      byte = bytes[this.at++];
      value += (byte & 127) * unit;
      unit *= 128;
    } while (byte > 127);
    return value;
  }

  signed() {
    const value = this.number();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }
}

// Finds the text of a data element in this page.
function findInPage(id) {
  const e = byId(id);
  return e ? e.textContent : null;
}

// Finds it in the text of another page, which is never parsed as a page.
function finderIn(text) {
  return (id) => {
    const begin = text.indexOf(' id="' + id + '">');
    if (begin < 0) return null;
    const from = text.indexOf('>', begin) + 1;
    return text.slice(from, text.indexOf('</' + 'script>', from));
  };
}
