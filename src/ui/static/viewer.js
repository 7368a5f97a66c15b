// The page viewer. Python gives it sizes, addresses of page images, marks and a target; it draws the pages near
// the eye and asks for what it lacks. Words of the document only ever pass through textContent.

const NEAR = 1;               // pages kept drawn on each side of the visible ones
const KEPT = 24;              // page images kept in the browser
const ZOOMS = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4];
const POINT = 96 / 72;        // CSS pixels in a PDF point
const viewers = new WeakMap();

export default function (component) {
  const { parentElement, data } = component;
  let viewer = viewers.get(parentElement);
  if (!viewer) {
    viewer = new Viewer(parentElement);
    viewers.set(parentElement, viewer);
  }
  viewer.component = component;
  if (data) viewer.update(opened(data));
  return () => {
    viewer.destroy();
    viewers.delete(parentElement);
  };
}

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

class Viewer {
  constructor(root) {
    this.root = root;
    this.images = new Map();
    this.thumbs = new Map();
    this.texts = new Map();
    this.failed = new Map();
    this.wanted = new Set();
    this.loaded = new Map();
    this.visible = new Set();
    this.zoom = 0;             // 0 fits the width
    this.page = 1;
    this.showText = false;
    this.rail = null;
    this.hit = -1;
    this.data = {};
    this.build();
    this.onLink = (event) => this.followLink(event);
    document.addEventListener("click", this.onLink, true);
    this.resized = new ResizeObserver(() => this.keepPlace(() => this.layOut()));
    this.resized.observe(this.scroll);
  }

  // Streamlit may take the component out and put it back when the page is drawn again on a loaded machine. Where
  // the reader was must not be lost by that, so it outlives the component.
  remember() {
    if (!this.pages) return;
    const page = this.pages[this.page - 1];
    window.docengineViewer = {
      shape: this.shape, target: this.target, zoom: this.zoom, showText: this.showText, page: this.page,
      into: page ? (this.scroll.scrollTop - page.offsetTop) / (page.offsetHeight || 1) : 0,
      rail: !this.railBox.hidden, images: this.images, thumbs: this.thumbs, texts: this.texts, hit: this.hit,
    };
  }

  recall() {
    const last = window.docengineViewer;
    if (!last || last.images === this.images) return;
    if (last.shape !== this.shape) {
      for (const kind of [last.images, last.thumbs]) this.letGo(kind);
      return;
    }
    Object.assign(this, { target: last.target, zoom: last.zoom, showText: last.showText, images: last.images,
      thumbs: last.thumbs, texts: last.texts, hit: last.hit });
    this.textButton.setAttribute("aria-pressed", String(this.showText));
    this.railBox.hidden = !last.rail;
    this.railButton.setAttribute("aria-pressed", String(last.rail));
    this.layOut();
    const page = this.pages[last.page - 1];
    this.scroll.scrollTop = page.offsetTop + last.into * page.offsetHeight;
    this.setPage(last.page);
  }

  destroy() {
    document.removeEventListener("click", this.onLink, true);
    this.resized.disconnect();
    this.watch?.disconnect();
    clearTimeout(this.timer);
    this.frame.remove();
  }

  send(name, value) {
    // The nonce makes two equal requests two events.
    this.component.setTriggerValue(name, { ...value, nonce: (this.nonce = (this.nonce || 0) + 1) });
  }

  // --- building ------------------------------------------------------------------------------------------

  build() {
    const frame = make("section", "viewer", { "aria-label": "Page viewer" });
    frame.dataset.testid = "viewer";
    this.frame = frame;
    this.empty = make("p", "empty");
    frame.append(this.empty, this.buildBar(), this.buildCitation(), this.buildBody());
    this.live = make("p", "unseen", { role: "status", "aria-live": "polite" });
    frame.append(this.live);
    frame.addEventListener("keydown", (event) => this.key(event));
    this.root.append(frame);
  }

  button(label, sign, action, extra = "") {
    const button = make("button", `tool ${extra}`, { type: "button", title: label, "aria-label": label });
    button.textContent = sign;
    button.addEventListener("click", action);
    return button;
  }

  buildBar() {
    const bar = make("div", "bar", { role: "toolbar", "aria-label": "Pages" });
    this.title = make("h2", "title");
    this.close = this.button("Back to the chat", "✕", () => this.send("close", {}), "close");
    this.railButton = this.button("Thumbnails and outline", "☰", () => this.toggleRail());
    this.number = make("input", "number", { type: "text", inputMode: "numeric", "aria-label": "Page number" });
    this.number.addEventListener("change", () => this.jumpTo(this.number.value));
    this.count = make("span", "count");
    this.fit = this.button("Fit the width", "↔", () => this.setZoom(0));
    this.textButton = this.button("Text of the page", "Aa", () => this.toggleText());
    this.searchButton = this.button("Search in this document", "⌕", () => this.toggleSearch());
    bar.append(
      this.railButton,
      this.button("Previous page", "‹", () => this.go(this.page - 1)),
      this.number, this.count,
      this.button("Next page", "›", () => this.go(this.page + 1)),
      make("span", "gap"),
      this.button("Smaller", "−", () => this.step(-1)),
      this.button("Larger", "+", () => this.step(1)),
      this.fit, this.textButton, this.searchButton,
    );
    const head = make("div", "head");
    head.append(this.title, this.close);
    const top = make("div", "top");
    top.append(head, bar, this.buildSearch());
    this.bar = top;
    return top;
  }

  buildSearch() {
    this.search = make("form", "search", { role: "search", hidden: true });
    this.query = make("input", "query", { type: "search", placeholder: "Search in this document",
      "aria-label": "Search in this document" });
    this.found = make("span", "found", { role: "status" });
    this.search.append(
      this.query, this.found,
      this.button("Previous match", "↑", () => this.nextHit(-1)),
      this.button("Next match", "↓", () => this.nextHit(1)),
    );
    this.search.addEventListener("submit", (event) => {
      event.preventDefault();
      const query = this.query.value.trim();
      if (query && query === this.data.search?.query) this.nextHit(1);
      else this.send("search", { query });
    });
    this.query.addEventListener("search", () => {
      if (!this.query.value) this.send("search", { query: "" });
    });
    return this.search;
  }

  buildCitation() {
    this.cite = make("div", "citation", { hidden: true });
    this.citeText = make("p", "quote");
    this.citeText.dir = "auto";
    this.citePlace = make("span", "place");
    this.citePrevious = this.button("Previous citation", "‹", () => this.nextCitation(-1));
    this.citeNext = this.button("Next citation", "›", () => this.nextCitation(1));
    const row = make("div", "row");
    row.append(this.citePlace, this.citePrevious, this.citeNext,
      this.button("Hide the mark", "✕", () => this.send("unmark", {})));
    this.cite.append(row, this.citeText);
    return this.cite;
  }

  buildBody() {
    const body = make("div", "body");
    this.railBox = make("nav", "rail", { hidden: true, "aria-label": "Thumbnails and outline" });
    this.scroll = make("div", "scroll", { tabIndex: 0, role: "region", "aria-label": "Pages of the document" });
    this.scroll.addEventListener("scroll", () => this.scrolled(), { passive: true });
    body.append(this.railBox, this.scroll);
    this.body = body;
    return body;
  }

  // --- taking what Python gives --------------------------------------------------------------------------

  update(data) {
    const before = this.data;
    this.data = data;
    const any = Boolean(data.document);
    for (const node of [this.bar, this.body]) node.hidden = !any;
    this.empty.hidden = any;
    this.empty.textContent = data.empty || "";
    this.frame.classList.toggle("none", !any);
    // On a phone the viewer lies over the chat while something is looked at.
    const raised = Boolean(data.raised);
    if (raised !== this.raised) {
      document.body.classList.toggle("viewer-raised", raised);
      if (raised && this.raised === false && innerWidth <= 760) this.close.focus({ preventScroll: true });
    }
    this.raised = raised;
    if (!any) {
      this.cite.hidden = true;
      this.shape = "";
      this.pages = undefined;
      this.scroll.replaceChildren();
      return;
    }
    const shape = `${data.document} ${data.sizes.length}`;
    if (shape !== this.shape) this.open(shape);
    this.title.textContent = data.name;
    this.title.title = data.name;
    this.keep(this.images, data.images);
    this.keep(this.thumbs, data.thumbs);
    for (const [n, words] of Object.entries(data.texts)) this.texts.set(Number(n), words);
    for (const [n, words] of Object.entries(data.failed)) this.failed.set(Number(n), words);
    this.wanted.clear();
    this.drawCitation();
    this.drawSearch(before);
    const target = data.target;
    if (target && target.nonce !== this.target) {
      this.target = target.nonce;
      // A citation that was shown at the click already must not jump again when Python has heard of it.
      if (!target.link || target.link !== this.shownAtOnce) this.show(target);
    }
    this.shownAtOnce = undefined;
    for (const [, url] of data.images) {
      const image = new Image();
      image.src = url;
      this.loaded.set(url, image);
      if (this.loaded.size > 16) this.loaded.delete(this.loaded.keys().next().value);
    }
    this.draw();
    this.drawRail();
    this.remember();
  }

  keep(kind, given) {
    for (const [n, url] of given) {
      if (kind.has(n)) URL.revokeObjectURL(kind.get(n));
      kind.set(n, url);
    }
  }

  letGo(kind, numbers = [...kind.keys()]) {
    for (const n of numbers) {
      URL.revokeObjectURL(kind.get(n));
      kind.delete(n);
    }
  }

  open(shape) {
    this.shape = shape;
    this.letGo(this.images);
    this.letGo(this.thumbs);
    this.texts.clear();
    this.failed.clear();
    this.visible.clear();
    this.target = undefined;
    this.railFor = undefined;
    this.page = 1;
    this.hit = -1;
    this.pages = this.data.sizes.map((size, i) => {
      const page = make("article", "page", { "aria-label": this.label(i + 1) });
      page.dataset.page = i + 1;
      page.append(make("div", "sheet"));
      return page;
    });
    this.scroll.replaceChildren(...this.pages);
    this.scroll.scrollTop = 0;
    this.count.textContent = `of ${this.pages.length}`;
    this.watch?.disconnect();
    this.watch = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const n = Number(entry.target.dataset.page);
        if (entry.isIntersecting) this.visible.add(n);
        else this.visible.delete(n);
      }
      this.draw();
    }, { root: this.scroll, rootMargin: "50% 0px" });
    this.layOut();
    this.recall();
    for (const page of this.pages) this.watch.observe(page);
  }

  label(n) {
    const printed = this.data.labels[n - 1];
    const state = this.data.states?.[n];
    return `Page ${n}${printed && printed !== String(n) ? ` (printed ${printed})` : ""}${state ? `: ${state}` : ""}`;
  }

  // --- drawing -------------------------------------------------------------------------------------------

  layOut() {
    if (!this.pages) return;
    const room = Math.max(180, this.scroll.clientWidth - 24);
    const beside = this.showText && room > 820;
    this.scroll.classList.toggle("beside", beside);
    this.scroll.classList.toggle("texts", this.showText);
    const width = beside ? (room - 16) / 2 : room;
    this.data.sizes.forEach(([w, h], i) => {
      const wide = this.zoom ? w * POINT * this.zoom : Math.min(width, w * POINT * 1.6);
      const sheet = this.pages[i].firstChild;
      sheet.style.width = `${wide}px`;
      sheet.style.height = `${(wide * h) / w}px`;
    });
  }

  near() {
    const near = new Set();
    const shown = this.visible.size ? [...this.visible] : [this.page];
    for (const n of shown) {
      for (let i = n - NEAR; i <= n + NEAR; i++) if (i >= 1 && i <= this.pages.length) near.add(i);
    }
    return near;
  }

  draw() {
    if (!this.pages) return;
    const near = this.near();
    for (const page of this.scroll.querySelectorAll(".page.drawn")) {
      if (!near.has(Number(page.dataset.page))) this.blank(page);
    }
    const missing = [];
    for (const n of near) {
      if (this.failed.has(n)) this.sayFailed(n, this.failed.get(n));
      else if (this.images.has(n)) this.drawPage(n);
      else missing.push(n);
    }
    if (missing.length) this.want("pages", missing);
    const mute = this.showText ? [...near].filter((n) => !this.texts.has(n)) : [];
    if (mute.length) this.want("texts", mute);
    const spare = [...this.images.keys()].filter((n) => !near.has(n));
    if (this.images.size > KEPT) this.letGo(this.images, spare.slice(0, this.images.size - KEPT));
  }

  want(kind, numbers) {
    for (const n of numbers) this.wanted.add(`${kind} ${n}`);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const pick = (k) => [...this.wanted].filter((w) => w.startsWith(k)).map((w) => Number(w.split(" ")[1]));
      this.send("want", { pages: pick("pages").slice(0, 8), thumbs: pick("thumbs").slice(0, 24),
        texts: pick("texts").slice(0, 8) });
    }, 60);
  }

  blank(page) {
    page.classList.remove("drawn");
    page.firstChild.replaceChildren();
    page.querySelector(".words")?.remove();
  }

  drawPage(n) {
    const page = this.pages[n - 1];
    const sheet = page.firstChild;
    const url = this.images.get(n);
    let image = sheet.querySelector("img");
    if (!image) {
      image = make("img", "", { alt: `${this.label(n)} of ${this.data.name}`, draggable: false });
      image.dataset.testid = "stImage";
      sheet.append(image);
      page.classList.add("drawn");
    }
    if (image.getAttribute("src") !== url) image.src = url;
    this.drawMarks(n, sheet);
    this.drawWords(n, page);
  }

  sayFailed(n, words) {
    const page = this.pages[n - 1];
    const note = make("p", "failed");
    note.textContent = words;
    page.firstChild.replaceChildren(note);
    page.classList.add("drawn");
    this.drawWords(n, page);
  }

  drawMarks(n, sheet) {
    for (const mark of sheet.querySelectorAll(".mark")) mark.remove();
    const [w, h] = this.data.sizes[n - 1];
    const put = (box, kind) => {
      const mark = make("div", `mark ${kind}`);
      mark.style.left = `${(100 * box[0]) / w}%`;
      mark.style.top = `${(100 * box[1]) / h}%`;
      mark.style.width = `${(100 * (box[2] - box[0])) / w}%`;
      mark.style.height = `${(100 * (box[3] - box[1])) / h}%`;
      sheet.append(mark);
    };
    for (const [page, ...box] of this.data.marks || []) if (page === n) put(box, "cited");
    (this.data.search?.hits || []).forEach((hit, i) => {
      for (const [page, ...box] of hit) if (page === n) put(box, i === this.hit ? "hit now" : "hit");
    });
  }

  drawWords(n, page) {
    let words = page.querySelector(".words");
    if (!this.showText || !this.texts.has(n)) {
      words?.remove();
      return;
    }
    if (!words) {
      words = make("div", "words", { tabIndex: 0, "aria-label": `Text of page ${n}`, role: "region" });
      words.dir = "auto";
      page.append(words);
    }
    words.textContent = this.texts.get(n) || "No text was read on this page.";
  }

  // --- going places --------------------------------------------------------------------------------------

  keepPlace(change) {
    const page = this.pages?.[this.page - 1];
    const into = page ? (this.scroll.scrollTop - page.offsetTop) / (page.offsetHeight || 1) : 0;
    change();
    if (page) this.scroll.scrollTop = page.offsetTop + into * page.offsetHeight;
  }

  scrolled() {
    if (!this.pages) return;
    const middle = this.scroll.scrollTop + this.scroll.clientHeight / 2;
    let low = 0;
    let high = this.pages.length - 1;
    while (low < high) {
      const mid = (low + high + 1) >> 1;
      if (this.pages[mid].offsetTop <= middle) low = mid;
      else high = mid - 1;
    }
    if (low + 1 !== this.page) this.setPage(low + 1);
    this.remember();
  }

  setPage(n) {
    this.page = n;
    this.railBox.querySelector("[aria-current]")?.removeAttribute("aria-current");
    this.railBox.querySelector(`[data-page="${n}"]`)?.setAttribute("aria-current", "page");
    if (this.root.activeElement !== this.number) this.number.value = n;
  }

  go(n) {
    const page = this.pages?.[Math.min(Math.max(n, 1), this.pages.length) - 1];
    if (!page) return;
    this.scroll.scrollTop = page.offsetTop - 8;
    this.setPage(Number(page.dataset.page));
    this.live.textContent = `${this.label(this.page)} of ${this.pages.length}`;
  }

  jumpTo(value) {
    const typed = value.trim();
    const printed = this.data.labels.indexOf(typed);
    const n = /^\d+$/.test(typed) ? Number(typed) : printed + 1;
    if (n >= 1 && n <= this.pages.length) this.go(n);
    else this.number.value = this.page;
  }

  show(target) {
    this.visible.clear();
    this.go(target.page);
    const box = (this.data.marks || []).find(([page]) => page === target.page);
    if (box) {
      const sheet = this.pages[target.page - 1].firstChild;
      const top = this.pages[target.page - 1].offsetTop + (box[2] / this.data.sizes[target.page - 1][1]) * sheet.offsetHeight;
      this.scroll.scrollTop = Math.max(0, top - this.scroll.clientHeight / 3);
      this.setPage(target.page);
      const left = (box[1] / this.data.sizes[target.page - 1][0]) * sheet.offsetWidth;
      this.scroll.scrollLeft = Math.max(0, left - this.scroll.clientWidth / 3);
      this.live.textContent = `${this.label(target.page)}: the quoted words are marked`;
    }
  }

  step(direction) {
    const sheet = this.pages[this.page - 1].firstChild;
    const now = this.zoom || sheet.offsetWidth / (this.data.sizes[this.page - 1][0] * POINT);
    const next = direction > 0 ? ZOOMS.find((z) => z > now * 1.02) : ZOOMS.findLast((z) => z < now * 0.98);
    if (next) this.setZoom(next);
  }

  setZoom(zoom) {
    this.keepPlace(() => {
      this.zoom = zoom;
      this.layOut();
    });
    this.fit.setAttribute("aria-pressed", String(!zoom));
    this.live.textContent = zoom ? `${Math.round(zoom * 100)}%` : "Fitted to the width";
  }

  toggleText() {
    this.showText = !this.showText;
    this.textButton.setAttribute("aria-pressed", String(this.showText));
    this.keepPlace(() => this.layOut());
    this.draw();
  }

  toggleSearch() {
    this.search.hidden = !this.search.hidden;
    this.searchButton.setAttribute("aria-pressed", String(!this.search.hidden));
    if (!this.search.hidden) this.query.focus();
    else if (this.data.search) this.send("search", { query: "" });
  }

  drawSearch(before) {
    const search = this.data.search;
    if (!search) {
      this.found.textContent = "";
      this.hit = -1;
      return;
    }
    if (search.query !== before.search?.query) {
      this.hit = search.hits.findIndex((hit) => hit[0][0] >= this.page);
      if (this.hit < 0) this.hit = search.hits.length ? 0 : -1;
      this.showHit();
    }
    this.sayHits();
  }

  nextHit(by) {
    const hits = this.data.search?.hits || [];
    if (!hits.length) return;
    this.hit = (this.hit + by + hits.length) % hits.length;
    this.showHit();
    this.sayHits();
    this.draw();
  }

  sayHits() {
    const { hits, more } = this.data.search;
    this.found.textContent = hits.length ? `${this.hit + 1} of ${hits.length}${more ? "+" : ""}` : "No match";
  }

  showHit() {
    const hit = this.data.search?.hits[this.hit];
    if (!hit) return;
    const [n, , top] = hit[0];
    const page = this.pages[n - 1];
    const y = page.offsetTop + (top / this.data.sizes[n - 1][1]) * page.firstChild.offsetHeight;
    this.scroll.scrollTop = Math.max(0, y - this.scroll.clientHeight / 3);
    this.setPage(n);
  }

  drawCitation() {
    const { citation } = this.data;
    this.cite.hidden = !citation;
    if (!citation) return;
    this.citePlace.textContent = citation.place;
    this.citeText.textContent = citation.words;
    const many = citation.count > 1;
    this.citePrevious.hidden = this.citeNext.hidden = !many;
  }

  nextCitation(by) {
    const { citation } = this.data;
    this.openLink(citation.links[(citation.position + by + citation.count) % citation.count]);
  }

  followLink(event) {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey) return;
    const link = event.composedPath().find((node) => node.matches?.('a[href^="#cite-"], a[href^="#passage-"], a[href^="#intro-"]'));
    if (!link) return;
    event.preventDefault();
    this.openLink(link.getAttribute("href").slice(1));
  }

  openLink(link) {
    const ready = this.data.ready?.[link];
    if (ready && this.pages) {
      Object.assign(this.data, { marks: ready.marks, citation: ready.citation });
      if (innerWidth <= 760) document.body.classList.add("viewer-raised");
      this.drawCitation();
      this.show({ page: ready.page, link });
      this.draw();
      this.shownAtOnce = link;
    }
    this.send("open", { link });
  }

  // --- thumbnails and outline ----------------------------------------------------------------------------

  toggleRail() {
    this.railBox.hidden = !this.railBox.hidden;
    this.railButton.setAttribute("aria-pressed", String(!this.railBox.hidden));
    this.drawRail();
    this.keepPlace(() => this.layOut());
    this.setPage(this.page);
    this.railBox.querySelector("[aria-current]")?.scrollIntoView({ block: "center" });
  }

  drawRail() {
    if (this.railBox.hidden) return;
    if (this.railFor !== this.shape) this.buildRail();
    for (const item of this.railBox.querySelectorAll(".thumb")) {
      const url = this.thumbs.get(Number(item.dataset.page));
      const image = item.firstChild;
      if (url && image.getAttribute("src") !== url) image.src = url;
    }
  }

  buildRail() {
    this.railFor = this.shape;
    const outline = this.data.outline || [];
    const parts = [];
    if (outline.length) {
      const list = make("ul", "outline");
      for (const [title, level, page] of outline) {
        const item = make("li");
        const button = make("button", "entry", { type: "button" });
        button.textContent = title;
        button.dir = "auto";
        button.style.paddingInlineStart = `${0.5 + 0.75 * (level - 1)}rem`;
        button.addEventListener("click", () => this.go(page));
        item.append(button);
        list.append(item);
      }
      const more = make("details", "contents", { open: true });
      const head = make("summary");
      head.textContent = "Outline";
      more.append(head, list);
      parts.push(more);
    }
    const thumbs = make("div", "thumbs");
    const watch = new IntersectionObserver((entries) => {
      const missing = entries.filter((e) => e.isIntersecting).map((e) => Number(e.target.dataset.page))
        .filter((n) => !this.thumbs.has(n));
      if (missing.length) this.want("thumbs", missing);
    }, { root: this.railBox, rootMargin: "100% 0px" });
    this.data.sizes.forEach(([w, h], i) => {
      const item = make("button", "thumb", { type: "button", "aria-label": this.label(i + 1) });
      item.dataset.page = i + 1;
      const image = make("img", "", { alt: "" });
      image.style.aspectRatio = `${w} / ${h}`;
      const number = make("span");
      number.textContent = this.data.labels[i] && this.data.labels[i] !== String(i + 1)
        ? `${i + 1} · ${this.data.labels[i]}` : i + 1;
      item.append(image, number);
      item.addEventListener("click", () => this.go(i + 1));
      thumbs.append(item);
      watch.observe(item);
    });
    parts.push(thumbs);
    this.railBox.replaceChildren(...parts);
  }

  // --- keyboard ------------------------------------------------------------------------------------------

  key(event) {
    const typing = event.composedPath()[0].matches?.("input, textarea");
    if (event.key === "Escape" && !this.search.hidden) {
      this.toggleSearch();
      this.searchButton.focus();
      return;
    }
    if (typing || event.metaKey || event.ctrlKey || event.altKey) return;
    const does = {
      ArrowLeft: () => this.go(this.page - 1), ArrowRight: () => this.go(this.page + 1),
      Home: () => this.go(1), End: () => this.go(this.pages.length),
      "+": () => this.step(1), "-": () => this.step(-1), 0: () => this.setZoom(0),
      "/": () => (this.search.hidden ? this.toggleSearch() : this.query.focus()),
      n: () => this.data.citation && this.nextCitation(1), p: () => this.data.citation && this.nextCitation(-1),
    }[event.key];
    if (does && this.data.document) {
      event.preventDefault();
      does();
    }
  }
}
