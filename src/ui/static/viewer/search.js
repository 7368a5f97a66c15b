// Search in the document: Python finds the places, this walks through them.

class Search {
  constructor(viewer) {
    this.viewer = viewer;
    this.hit = -1;
    this.form = make("form", "search", { role: "search", hidden: true });
    this.query = make("input", "query", { type: "search", placeholder: "Search in this document",
      "aria-label": "Search in this document" });
    this.found = make("span", "found", { role: "status" });
    this.button = tool("Search in this document", "⌕", () => this.toggle());
    this.form.append(
      this.query, this.found,
      tool("Previous match", "↑", () => this.next(-1)),
      tool("Next match", "↓", () => this.next(1)),
    );
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const query = this.query.value.trim();
      if (query && query === this.results?.query) this.next(1);
      else this.ask(query);
    });
    this.query.addEventListener("search", () => {
      if (!this.query.value) this.ask("");
    });
  }

  get results() {
    return this.viewer.data.search;
  }

  toggle() {
    this.form.hidden = !this.form.hidden;
    press(this.button, !this.form.hidden);
    if (!this.form.hidden) this.query.focus();
    else if (this.results) this.ask("");
  }

  // The marks of the search before go at once, not when Python has answered.
  ask(query) {
    const { viewer } = this;
    viewer.data.search = null;
    viewer.pages.draw();
    this.hit = -1;
    this.found.textContent = query ? "Searching …" : "";
    viewer.send("search", { query });
  }

  draw(before) {
    const results = this.results;
    if (!results) {
      if (!this.viewer.outbox.some((r) => r.name === "search" && r.value.query)) this.found.textContent = "";
      this.hit = -1;
      return;
    }
    if (results.query !== before.search?.query) {
      this.hit = results.hits.findIndex((hit) => hit[0][0] >= this.viewer.page);
      if (this.hit < 0) this.hit = results.hits.length ? 0 : -1;
      this.show();
    }
    this.say();
  }

  next(by) {
    const hits = this.results?.hits || [];
    if (!hits.length) return;
    this.hit = (this.hit + by + hits.length) % hits.length;
    this.show();
    this.say();
    this.viewer.pages.draw();
  }

  say() {
    const { hits, more } = this.results;
    this.found.textContent = hits.length ? `${this.hit + 1} of ${hits.length}${more ? "+" : ""}` : "No match";
  }

  show() {
    const hit = this.results?.hits[this.hit];
    if (!hit) return;
    const [n, ...box] = hit[0];
    this.viewer.pages.bring(n, box);
    this.viewer.setPage(n);
  }
}
