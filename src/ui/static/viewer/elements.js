// The viewer is one module in several files, which viewing.py joins: an inline component has no files to import.

const POINT = 96 / 72;        // CSS pixels in a PDF point

// A message is the length of its JSON in four bytes, the JSON, then the JPEGs whose places the JSON gives.
function opened(bytes) {
  const start = 4 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  const data = JSON.parse(new TextDecoder().decode(bytes.subarray(4, start)));
  const address = ([from, to]) =>
    URL.createObjectURL(new Blob([bytes.subarray(start + from, start + to)], { type: "image/jpeg" }));
  for (const name of ["images", "thumbs"]) {
    data[name] = Object.entries(data[name] || {}).map(([n, place]) => [Number(n), address(place)]);
  }
  return data;
}

function make(tag, className, properties = {}) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("aria-") || name === "role" || name === "for") node.setAttribute(name, value);
    else node[name] = value;
  }
  return node;
}

function tool(label, sign, action, extra = "") {
  const button = make("button", `tool ${extra}`, { type: "button", title: label, "aria-label": label });
  button.textContent = sign;
  button.addEventListener("click", action);
  return button;
}

function press(button, on) {
  button.setAttribute("aria-pressed", String(on));
}

// What the browser was given of a document, by page. Addresses of pictures hold memory until they are let go.
class Store {
  constructor() {
    this.images = new Map();
    this.thumbs = new Map();
    this.texts = new Map();
    this.failed = new Map();
    this.thumbless = new Set();
  }

  take(data) {
    for (const kind of ["images", "thumbs"]) {
      for (const [n, url] of data[kind]) {
        if (this[kind].has(n)) URL.revokeObjectURL(this[kind].get(n));
        this[kind].set(n, url);
      }
    }
    for (const kind of ["texts", "failed"]) {
      for (const [n, words] of Object.entries(data[kind])) this[kind].set(Number(n), words);
    }
    for (const n of data.thumbless) this.thumbless.add(n);
  }

  drop(kind, numbers) {
    for (const n of numbers) {
      URL.revokeObjectURL(this[kind].get(n));
      this[kind].delete(n);
    }
  }

  empty() {
    for (const kind of ["images", "thumbs"]) this.drop(kind, [...this[kind].keys()]);
    this.texts.clear();
    this.failed.clear();
    this.thumbless.clear();
  }
}
