// Thumbnails and outline, built when they are first looked at.

class Rail {
  constructor(viewer) {
    this.viewer = viewer;
    this.chosen = "outline";
    this.box = make("nav", "rail", { hidden: true, "aria-label": "Thumbnails and outline" });
    this.near = new Set();     // thumbnails in sight and near it
    this.button = tool("Thumbnails and outline", "☰", () => this.toggle());
  }

  get shown() {
    return !this.box.hidden;
  }

  set shown(on) {
    this.box.hidden = !on;
    press(this.button, on);
  }

  toggle() {
    const { pages, page } = this.viewer;
    this.shown = !this.shown;
    this.draw();
    pages.keepPlace(() => pages.layOut());
    this.viewer.setPage(page);
    if (!this.thumbs?.hidden) this.box.querySelector("[aria-current]")?.scrollIntoView({ block: "center" });
  }

  current(n) {
    this.box.querySelector("[aria-current]")?.removeAttribute("aria-current");
    this.box.querySelector(`[data-page="${n}"]`)?.setAttribute("aria-current", "page");
  }

  draw() {
    if (!this.shown) return;
    if (this.builtFor !== this.viewer.shape) this.build();
    const { thumbs } = this.viewer.pages.store;
    for (const item of this.thumbs.children) {
      const url = thumbs.get(Number(item.dataset.page));
      const image = item.firstChild;
      if (url && image.getAttribute("src") !== url) image.src = url;
    }
    this.askForMissing();
  }

  // Asked at every drawing and not only when a thumbnail comes into sight: a drawing of the page that comes between
  // forgets what was wanted, and Streamlit may lose the pictures on their way.
  askForMissing() {
    const { thumbs, thumbless } = this.viewer.pages.store;
    const missing = [...this.near].filter((n) => !thumbs.has(n) && !thumbless.has(n));
    if (missing.length) this.viewer.pages.want("thumbs", missing);
  }

  build() {
    this.builtFor = this.viewer.shape;
    const outline = this.viewer.data.outline || [];
    this.contents = outline.length ? this.outline(outline) : undefined;
    this.thumbs = this.thumbnails();
    this.box.replaceChildren(...(this.contents ? [this.sides(), this.contents] : []), this.thumbs);
    this.side(this.contents ? this.chosen : "pages");
    this.current(this.viewer.page);
  }

  // Outline and thumbnails one at a time: one below the other, a long one hides the other.
  sides() {
    const row = make("div", "sides", { role: "group", "aria-label": "Show" });
    this.buttons = { outline: tool("Outline", "Outline", () => this.side("outline")),
      pages: tool("Thumbnails", "Pages", () => this.side("pages")) };
    row.append(this.buttons.outline, this.buttons.pages);
    return row;
  }

  side(name) {
    if (this.contents) {
      this.chosen = name;
      this.contents.hidden = name !== "outline";
      for (const [n, button] of Object.entries(this.buttons)) press(button, n === name);
    }
    this.thumbs.hidden = name !== "pages";
    this.box.scrollTop = 0;
    if (name === "pages") this.box.querySelector("[aria-current]")?.scrollIntoView({ block: "center" });
  }

  outline(entries) {
    const list = make("ul", "outline");
    for (const [title, level, page] of entries) {
      const item = make("li");
      const button = make("button", "entry", { type: "button" });
      button.textContent = title;
      button.dir = "auto";
      button.style.paddingInlineStart = `${0.5 + 0.75 * (level - 1)}rem`;
      button.addEventListener("click", () => this.viewer.go(page));
      item.append(button);
      list.append(item);
    }
    return list;
  }

  thumbnails() {
    const { pages, data } = this.viewer;
    const thumbs = make("div", "thumbs");
    this.near.clear();
    this.watch?.disconnect();
    const watch = (this.watch = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const n = Number(entry.target.dataset.page);
        if (entry.isIntersecting) this.near.add(n);
        else this.near.delete(n);
      }
      this.askForMissing();
    }, { root: this.box, rootMargin: "100% 0px" }));
    data.sizes.forEach(([w, h], i) => {
      const item = make("button", "thumb", { type: "button", "aria-label": pages.label(i + 1) });
      item.dataset.page = i + 1;
      const image = make("img", "", { alt: "" });
      image.style.aspectRatio = `${w} / ${h}`;
      const number = make("span");
      const printed = data.labels[i];
      number.textContent = printed && printed !== String(i + 1) ? `${i + 1} · ${printed}` : i + 1;
      item.append(image, number);
      item.addEventListener("click", () => this.viewer.go(i + 1));
      thumbs.append(item);
      watch.observe(item);
    });
    return thumbs;
  }
}
