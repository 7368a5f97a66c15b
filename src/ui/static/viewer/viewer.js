// The page viewer. Python gives it sizes, page images, marks and a target; it draws the pages near the eye and asks
// for what it lacks. Words of the document only ever pass through textContent.

const viewers = new WeakMap();
const PATIENCE = 2000;        // milliseconds until a request that was not answered is sent again

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

class Viewer {
  constructor(root) {
    this.root = root;
    this.data = {};
    this.outbox = [];          // requests that Python has not answered yet
    this.page = 1;
    this.pages = new Pages(this);
    this.search = new Search(this);
    this.citations = new Citations(this);
    this.rail = new Rail(this);
    this.build();
    this.pages.scroll.addEventListener("scroll", () => this.scrolled(), { passive: true });
    this.resized = new ResizeObserver(() => this.pages.keepPlace(() => this.pages.layOut()));
    this.resized.observe(this.pages.scroll);
  }

  // Streamlit may take the component out and put it back when the page is drawn again on a loaded machine. Where
  // the reader was and what was asked for must not be lost by that, so both outlive the component.
  remember() {
    const { pages, page, shape, target } = this;
    if (!pages.sheets) return;
    window.docengineViewer = { shape, target, page, into: pages.into(page), zoom: pages.zoom,
      showText: pages.showText, store: pages.store, rail: this.rail.shown, hit: this.search.hit };
  }

  recall() {
    const last = window.docengineViewer;
    const { pages } = this;
    if (!last || last.store === pages.store) return;
    if (last.shape !== this.shape) {
      last.store.empty();
      return;
    }
    Object.assign(pages, { zoom: last.zoom, showText: last.showText, store: last.store });
    this.target = last.target;
    this.search.hit = last.hit;
    this.rail.shown = last.rail;
    press(this.textButton, last.showText);
    pages.layOut();
    pages.scrollInto(last.page, last.into);
    this.setPage(last.page);
  }

  destroy() {
    const { document, marks, citation } = this.data;
    window.docengineUnanswered = { outbox: this.outbox, document, marks, citation };
    this.citations.destroy();
    this.pages.destroy();
    clearTimeout(this.again);
    this.resized.disconnect();
    this.rail.watch?.disconnect();
    this.frame.remove();
  }

  // What the component before this one had asked for and Python has not heard of, asked again.
  takeOver(data) {
    const last = window.docengineUnanswered;
    window.docengineUnanswered = undefined;
    this.outbox = (last?.outbox || []).filter((r) => r.nonce > (data.handled || 0));
    const { document, marks, citation } = last || {};
    if (this.outbox.length && document === data.document) Object.assign(this.data, { document, marks, citation });
    this.tell();
  }

  // While the server is busy Streamlit keeps only the last event, and some events it never hands on, so each one
  // carries all that are not answered, and they are sent again until they are.
  send(name, value) {
    const last = Math.max(window.docengineNonce || 0, this.data.handled || 0);
    const nonce = (window.docengineNonce = Math.max(Date.now(), last + 1));
    this.outbox = [...this.outbox.filter((r) => r.name !== "want" || name !== "want"), { name, value, nonce }];
    this.tell();
  }

  tell() {
    clearTimeout(this.again);
    if (!this.outbox.length) return;
    this.component.setTriggerValue("ask", { requests: this.outbox });
    this.again = setTimeout(() => this.tell(), PATIENCE);
  }

  // --- building ------------------------------------------------------------------------------------------

  build() {
    this.frame = make("section", "viewer", { "aria-label": "Page viewer" });
    this.frame.dataset.testid = "viewer";
    this.empty = make("p", "empty");
    this.body = make("div", "body");
    this.body.append(this.rail.box, this.pages.scroll);
    this.live = make("p", "unseen", { role: "status", "aria-live": "polite" });
    this.frame.append(this.empty, this.buildTop(), this.citations.box, this.body, this.live);
    this.frame.addEventListener("keydown", (event) => this.key(event));
    this.root.append(this.frame);
  }

  buildTop() {
    this.title = make("h2", "title");
    this.close = tool("Back to the chat", "✕", () => this.send("close", {}), "close");
    const head = make("div", "head");
    head.append(this.title, this.close);
    this.top = make("div", "top");
    this.top.append(head, this.buildBar(), this.search.form);
    return this.top;
  }

  buildBar() {
    const bar = make("div", "bar", { role: "toolbar", "aria-label": "Pages" });
    this.number = make("input", "number", { type: "text", inputMode: "numeric", "aria-label": "Page number" });
    this.number.addEventListener("change", () => this.jumpTo(this.number.value));
    this.count = make("span", "count");
    this.fit = tool("Fit the width", "↔", () => this.setZoom(0));
    this.textButton = tool("Text of the page", "Aa", () => this.toggleText());
    bar.append(
      this.rail.button,
      tool("Previous page", "‹", () => this.go(this.page - 1)),
      this.number, this.count,
      tool("Next page", "›", () => this.go(this.page + 1)),
      make("span", "gap"),
      tool("Smaller", "−", () => this.step(-1)),
      tool("Larger", "+", () => this.step(1)),
      this.fit, this.textButton, this.search.button,
    );
    return bar;
  }

  // --- taking what Python gives --------------------------------------------------------------------------

  update(data) {
    if (!this.data.document) this.takeOver(data);
    const before = this.data;
    this.data = data;
    this.outbox = this.outbox.filter((r) => r.nonce > data.handled);
    if (!this.outbox.length) clearTimeout(this.again);
    if (data.document === before.document && this.outbox.some((r) => r.name === "open")) {
      // Python does not know yet what was opened at once: it must not go out again meanwhile.
      Object.assign(data, { marks: before.marks, citation: before.citation });
    }
    if (this.outbox.some((r) => r.name === "search")) data.search = null;
    const any = Boolean(data.document);
    for (const node of [this.top, this.body]) node.hidden = !any;
    this.empty.hidden = any;
    this.empty.textContent = data.empty || "";
    this.frame.classList.toggle("none", !any);
    this.raise(Boolean(data.raised));
    if (!any) {
      this.citations.draw();
      this.pages.close();
      this.shape = "";
      return;
    }
    const shape = `${data.document} ${data.sizes.length}`;
    if (shape !== this.shape) this.open(shape);
    this.title.textContent = this.title.title = data.name;
    this.pages.take(data);
    this.citations.draw();
    this.search.draw(before);
    const { target } = data;
    if (target.nonce !== this.target) {
      this.target = target.nonce;
      if (!this.citations.isShown(target.link)) this.show(target);
    }
    this.pages.draw();
    this.rail.draw();
    this.remember();
  }

  // On a phone the viewer lies over the chat while something is looked at.
  raise(raised) {
    if (raised !== this.raised) {
      document.body.classList.toggle("viewer-raised", raised);
      if (raised && this.raised === false && innerWidth <= 760) this.close.focus({ preventScroll: true });
    }
    this.raised = raised;
  }

  open(shape) {
    this.shape = shape;
    this.target = undefined;
    this.rail.builtFor = undefined;
    this.page = 1;
    this.search.hit = -1;
    this.pages.open();
    this.count.textContent = `of ${this.pages.sheets.length}`;
    this.recall();
    this.pages.observe();
  }

  // --- going places --------------------------------------------------------------------------------------

  scrolled() {
    if (!this.pages.sheets) return;
    const n = this.pages.current();
    if (n !== this.page) this.setPage(n);
    this.remember();
  }

  setPage(n) {
    this.page = n;
    this.rail.current(n);
    if (this.root.activeElement !== this.number) this.number.value = n;
  }

  go(n) {
    const { sheets, scroll } = this.pages;
    const page = sheets?.[Math.min(Math.max(n, 1), sheets.length) - 1];
    if (!page) return;
    scroll.scrollTop = page.offsetTop - 8;
    this.pages.stay(Number(page.dataset.page));
    this.setPage(Number(page.dataset.page));
    this.live.textContent = `${this.pages.label(this.page)} of ${sheets.length}`;
  }

  jumpTo(value) {
    const typed = value.trim();
    const printed = this.data.labels.indexOf(typed);
    const n = /^\d+$/.test(typed) ? Number(typed) : printed + 1;
    if (n >= 1 && n <= this.pages.sheets.length) this.go(n);
    else this.number.value = this.page;
  }

  show(target) {
    this.go(target.page);
    const mark = (this.data.marks || []).find(([page]) => page === target.page);
    if (mark) {
      this.pages.bring(target.page, mark.slice(1));
      this.setPage(target.page);
    }
    this.pages.lookAgain();
    if (mark) this.live.textContent = `${this.pages.label(target.page)}: the quoted words are marked`;
  }

  step(direction) {
    const next = this.pages.nextZoom(direction, this.page);
    if (next) this.setZoom(next);
  }

  setZoom(zoom) {
    this.pages.keepPlace(() => {
      this.pages.zoom = zoom;
      this.pages.layOut();
    });
    press(this.fit, !zoom);
    this.live.textContent = zoom ? `${Math.round(zoom * 100)}%` : "Fitted to the width";
  }

  toggleText() {
    this.pages.showText = !this.pages.showText;
    press(this.textButton, this.pages.showText);
    this.pages.keepPlace(() => this.pages.layOut());
    this.pages.draw();
  }

  key(event) {
    const { search, pages, citations } = this;
    const typing = event.composedPath()[0].matches?.("input, textarea");
    if (event.key === "Escape" && !search.form.hidden) {
      search.toggle();
      search.button.focus();
      return;
    }
    if (typing || event.metaKey || event.ctrlKey || event.altKey) return;
    const does = {
      ArrowLeft: () => this.go(this.page - 1), ArrowRight: () => this.go(this.page + 1),
      Home: () => this.go(1), End: () => this.go(pages.sheets.length),
      "+": () => this.step(1), "-": () => this.step(-1), 0: () => this.setZoom(0),
      "/": () => (search.form.hidden ? search.toggle() : search.query.focus()),
      n: () => citations.next(1), p: () => citations.next(-1),
    }[event.key];
    if (does && this.data.document) {
      event.preventDefault();
      does();
    }
  }
}
