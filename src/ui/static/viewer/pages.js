// The pages: laid out at once, drawn near the eye, the rest asked for when it comes near.

const NEAR = 1;               // pages kept drawn on each side of the visible ones
const KEPT = 24;              // page images kept in the browser
const DECODED = 16;           // images held ready, so that showing one again waits for nothing

class Pages {
  constructor(viewer) {
    this.viewer = viewer;
    this.scroll = make("div", "scroll", { tabIndex: 0, role: "region", "aria-label": "Pages of the document" });
    this.store = new Store();
    this.visible = new Set();
    this.wanted = new Set();
    this.decoded = new Map();
    this.zoom = 0;             // 0 fits the width
    this.showText = false;
    this.sheets = undefined;   // an element a page, once there is a document
  }

  get data() {
    return this.viewer.data;
  }

  open() {
    this.store.empty();
    this.visible.clear();
    this.brought = undefined;
    this.sheets = this.data.sizes.map((size, i) => {
      const page = make("article", "page", { "aria-label": this.label(i + 1) });
      page.dataset.page = i + 1;
      page.append(make("div", "sheet"));
      page.firstChild.dataset.awaited = `Page ${i + 1} …`;
      return page;
    });
    this.scroll.replaceChildren(...this.sheets);
    this.scroll.scrollTop = 0;
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
  }

  observe() {
    for (const page of this.sheets) this.watch.observe(page);
  }

  close() {
    this.watch?.disconnect();
    this.sheets = undefined;
    this.scroll.replaceChildren();
  }

  destroy() {
    this.watch?.disconnect();
    clearTimeout(this.timer);
  }

  take(data) {
    this.store.take(data);
    this.wanted.clear();
    for (const [, url] of data.images) {
      const image = new Image();
      image.src = url;
      this.decoded.set(url, image);
      if (this.decoded.size > DECODED) this.decoded.delete(this.decoded.keys().next().value);
    }
  }

  label(n) {
    const printed = this.data.labels[n - 1];
    const state = this.data.states?.[n];
    return `Page ${n}${printed && printed !== String(n) ? ` (printed ${printed})` : ""}${state ? `: ${state}` : ""}`;
  }

  // --- drawing -------------------------------------------------------------------------------------------

  layOut() {
    if (!this.sheets) return;
    const room = Math.max(180, this.scroll.clientWidth - 24);
    const beside = this.showText && room > 820;
    this.scroll.classList.toggle("beside", beside);
    this.scroll.classList.toggle("texts", this.showText);
    const width = beside ? (room - 16) / 2 : room;
    this.data.sizes.forEach(([w, h], i) => {
      const wide = this.zoom ? w * POINT * this.zoom : Math.min(width, w * POINT * 1.6);
      const sheet = this.sheets[i].firstChild;
      sheet.style.width = `${wide}px`;
      sheet.style.height = `${(wide * h) / w}px`;
    });
  }

  // After a jump: which pages are in sight now. The observer tells of changes only, and not at once.
  lookAgain() {
    const { scrollTop, clientHeight } = this.scroll;
    const from = scrollTop - clientHeight / 2;
    const to = scrollTop + 1.5 * clientHeight;
    this.visible.clear();
    for (let i = this.at(from); i < this.sheets.length && this.sheets[i].offsetTop <= to; i++) this.visible.add(i + 1);
  }

  near() {
    const near = new Set();
    const shown = this.visible.size ? [...this.visible] : [this.viewer.page];
    for (const n of shown) {
      for (let i = n - NEAR; i <= n + NEAR; i++) if (i >= 1 && i <= this.sheets.length) near.add(i);
    }
    return near;
  }

  draw() {
    if (!this.sheets) return;
    const { images, texts, failed } = this.store;
    const near = this.near();
    for (const page of this.scroll.querySelectorAll(".page.drawn")) {
      if (!near.has(Number(page.dataset.page))) this.blank(page);
    }
    const missing = [];
    for (const n of near) {
      if (failed.has(n)) this.sayFailed(n, failed.get(n));
      else if (images.has(n)) this.drawPage(n);
      else missing.push(n);
    }
    if (missing.length) this.want("pages", missing);
    const mute = this.showText ? [...near].filter((n) => !texts.has(n)) : [];
    if (mute.length) this.want("texts", mute);
    const spare = [...images.keys()].filter((n) => !near.has(n));
    if (images.size > KEPT) this.store.drop("images", spare.slice(0, images.size - KEPT));
  }

  want(kind, numbers) {
    for (const n of numbers) this.wanted.add(`${kind} ${n}`);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const pick = (k) => [...this.wanted].filter((w) => w.startsWith(k)).map((w) => Number(w.split(" ")[1]));
      this.viewer.send("want", { pages: pick("pages").slice(0, 8), thumbs: pick("thumbs").slice(0, 24),
        texts: pick("texts").slice(0, 8) });
    }, 60);
  }

  blank(page) {
    page.classList.remove("drawn");
    page.firstChild.replaceChildren();
    page.querySelector(".words")?.remove();
  }

  drawPage(n) {
    const page = this.sheets[n - 1];
    const sheet = page.firstChild;
    const url = this.store.images.get(n);
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
    const page = this.sheets[n - 1];
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
      for (const [page, ...box] of hit) if (page === n) put(box, i === this.viewer.search.hit ? "hit now" : "hit");
    });
  }

  drawWords(n, page) {
    let words = page.querySelector(".words");
    if (!this.showText || !this.store.texts.has(n)) {
      words?.remove();
      return;
    }
    if (!words) {
      words = make("div", "words", { tabIndex: 0, "aria-label": `Text of page ${n}`, role: "region" });
      words.dir = "auto";
      page.append(words);
    }
    words.textContent = this.store.texts.get(n) || "No text was read on this page.";
  }

  // --- places --------------------------------------------------------------------------------------------

  // How far into page n the upper edge of the window stands, as a part of the page's height.
  into(n) {
    const page = this.sheets?.[n - 1];
    return page ? (this.scroll.scrollTop - page.offsetTop) / (page.offsetHeight || 1) : 0;
  }

  scrollInto(n, into) {
    const page = this.sheets?.[n - 1];
    if (page) this.scroll.scrollTop = page.offsetTop + into * page.offsetHeight;
  }

  keepPlace(change) {
    const into = this.into(this.viewer.page);
    change();
    this.scrollInto(this.viewer.page, into);
  }

  // Bring a box of page n (in points) to a third of the window's height.
  bring(n, box) {
    const page = this.sheets[n - 1];
    const [w, h] = this.data.sizes[n - 1];
    const top = page.offsetTop + (box[1] / h) * page.firstChild.offsetHeight;
    this.scroll.scrollTop = Math.max(0, top - this.scroll.clientHeight / 3);
    const left = (box[0] / w) * page.firstChild.offsetWidth;
    this.scroll.scrollLeft = Math.max(0, left - this.scroll.clientWidth / 3);
    this.stay(n);
  }

  // Page n is the current one until somebody scrolls, wherever it stands in the window: the page after a quote near
  // a page's end fills more of it than the quoted one.
  stay(n) {
    this.brought = { n, top: this.scroll.scrollTop };
  }

  current() {
    const { brought, scroll } = this;
    if (brought && Math.abs(scroll.scrollTop - brought.top) < 2) return brought.n;
    this.brought = undefined;
    return this.middle();
  }

  // The page in the middle of the window.
  middle() {
    return this.at(this.scroll.scrollTop + this.scroll.clientHeight / 2) + 1;
  }

  // The position in ``sheets`` of the page at a height of the whole.
  at(height) {
    let low = 0;
    let high = this.sheets.length - 1;
    while (low < high) {
      const mid = (low + high + 1) >> 1;
      if (this.sheets[mid].offsetTop <= height) low = mid;
      else high = mid - 1;
    }
    return low;
  }

  // The next size up (1) or down (-1) from what page n is shown at; nothing at the ends.
  nextZoom(direction, n) {
    const now = this.zoom || this.sheets[n - 1].firstChild.offsetWidth / (this.data.sizes[n - 1][0] * POINT);
    return direction > 0 ? ZOOMS.find((z) => z > now * 1.02) : ZOOMS.findLast((z) => z < now * 0.98);
  }
}

const ZOOMS = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4];
