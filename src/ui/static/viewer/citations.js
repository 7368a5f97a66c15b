// Citations: the strip above the pages, and the links in answers that open them.

const LINKS = 'a[href^="#cite-"], a[href^="#passage-"], a[href^="#intro-"]';

class Citations {
  constructor(viewer) {
    this.viewer = viewer;
    this.box = make("div", "citation", { hidden: true });
    this.words = make("p", "quote");
    this.words.dir = "auto";
    this.place = make("span", "place");
    this.previous = tool("Previous citation", "‹", () => this.next(-1));
    this.following = tool("Next citation", "›", () => this.next(1));
    const row = make("div", "row");
    this.all = tool("Show the whole quote", "Show all", () => this.unfold(!this.box.classList.contains("whole")), "all");
    row.append(this.place, this.all, this.previous, this.following, tool("Hide the mark", "✕", () => viewer.send("unmark", {})));
    this.box.append(row, this.words);
    this.onLink = (event) => this.follow(event);
    document.addEventListener("click", this.onLink, true);
  }

  destroy() {
    document.removeEventListener("click", this.onLink, true);
  }

  draw() {
    const { citation } = this.viewer.data;
    this.box.hidden = !citation;
    if (!citation) return;
    this.place.textContent = citation.place;
    if (this.words.textContent !== citation.words) {
      this.words.textContent = citation.words;
      this.measure();
    }
    this.previous.hidden = this.following.hidden = citation.count <= 1;
  }

  // A quote is shown in three lines; a longer one fades at the third and can be unfolded.
  measure() {
    this.box.classList.remove("long");
    const whole = this.words.scrollHeight;
    this.box.classList.add("long");
    this.unfold(false);
    this.box.classList.toggle("long", whole > this.words.clientHeight + 2);
  }

  unfold(on) {
    this.box.classList.toggle("whole", on);
    this.all.textContent = on ? "Show less" : "Show all";
    this.all.setAttribute("aria-expanded", String(on));
  }

  next(by) {
    const { citation } = this.viewer.data;
    if (citation) this.open(citation.links[(citation.position + by + citation.count) % citation.count]);
  }

  follow(event) {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey) return;
    const link = event.composedPath().find((node) => node.matches?.(LINKS));
    if (!link) return;
    event.preventDefault();
    this.open(link.getAttribute("href").slice(1));
  }

  // A citation that Python has made ready is shown at once; Python hears of it afterwards.
  open(link) {
    const { viewer } = this;
    const ready = viewer.data.ready?.[link];
    if (ready && viewer.pages.sheets) {
      Object.assign(viewer.data, { marks: ready.marks, citation: ready.citation });
      if (innerWidth <= 760) document.body.classList.add("viewer-raised");
      this.draw();
      viewer.show({ page: ready.page, link });
      viewer.pages.draw();
      this.shownAtOnce = link;
    }
    viewer.send("open", { link });
  }

  // Whether Python's answer to a click brings what is shown already: it must not jump a second time.
  isShown(link) {
    const shown = Boolean(link) && link === this.shownAtOnce;
    this.shownAtOnce = undefined;
    return shown;
  }
}
