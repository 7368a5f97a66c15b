// What Streamlit has no widget for: the visitor's private id in a cookie instead of the address bar, private
// links, copying, and the buttons that stand in HTML.

const WAKE = 10000;           // milliseconds without a drawing after which a page that waits for one asks for it
const WHOLE = 5000;          // milliseconds until the end of a drawing is missed; twice as long after each time
const ARRIVAL = 8000;         // milliseconds until a file that the server has not heard of is sent again
const CUT_OFF = 10000;        // milliseconds without a connection after which the page is loaded anew
// Streamlit locks every field without a connection, and the field for files for no other reason.
const CUT = '[data-testid="stFileUploaderDropzone"] button:disabled, [data-testid="stConnectionStatus"]';
const HEARD = 2500;           // milliseconds until a question that the server has not heard of is sent again

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const state = (parentElement.docengine ||= { acts: [] });
  state.component = component;
  state.acts = state.acts.filter((a) => a.number > data.acted);
  if (!document.querySelector('meta[name="referrer"]')) {
    const meta = document.createElement("meta");
    meta.name = "referrer";
    meta.content = "no-referrer";
    document.head.append(meta);
  }
  document.documentElement.lang ||= "en";
  if (!state.guard) {
    // Streamlit's page stops for good when an element arrives whose place it has never heard of, as from a fragment
    // that is run by the clock after a drawing has left it out (streamlit issue 15084). None is left out here
    // (chat.running_answer), but a drawing may be broken off; everything is kept on the server, so loading anew helps.
    state.guard = (event) => {
      const last = Number(sessionStorage.getItem("docengine-reloaded") || 0);
      if (/delta path/.test(event.message || "") && Date.now() - last > 10000) {
        sessionStorage.setItem("docengine-reloaded", String(Date.now()));
        location.reload();
      }
    };
    window.addEventListener("error", state.guard);
  }
  // Streamlit's page leaves its connection for good when it cannot read a message (one of those that the browser is said
  // to have and has let go, for example), with every field locked. This clock outlives the drawing, which may be gone.
  window.docengineWatch ||= setInterval(async () => {
    const cut = document.querySelector(CUT);
    state.cut = cut ? state.cut || Date.now() : 0;
    if (!cut || Date.now() - state.cut < CUT_OFF) return;
    const last = Number(sessionStorage.getItem("docengine-reloaded") || 0);
    if (Date.now() - last < 3 * CUT_OFF) return;
    const health = location.pathname.replace(/\/?$/, "/") + "_stcore/health";
    const there = await fetch(health, { cache: "no-store" }).then((reply) => reply.ok, () => false);
    if (!there) return;
    sessionStorage.setItem("docengine-reloaded", String(Date.now()));
    location.reload();
  }, 2000);
  const { cookie, seconds, id } = data;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  const adopt = new URLSearchParams(location.hash.slice(1)).get("private");
  if (adopt) {
    history.replaceState(null, "", location.pathname + location.search);
    if (adopt !== id) setTriggerValue("adopt", { id: adopt });
  }
  if (id) document.cookie = `${cookie}=${id}; Path=/; SameSite=Strict; Max-Age=${seconds}${secure}`;

  // The page is drawn again by a fragment that runs by the clock. On a loaded machine Streamlit may lose it, and the
  // page would wait for ever for an answer that is there: in a sitting of 200 questions it stood still after thirty.
  clearInterval(state.wake);
  if (data.busy) {
    state.wake = setInterval(() => state.component.setTriggerValue("act", { acts: state.acts, woken: Date.now() }), WAKE);
  }

  // Streamlit gives a drawing of the page up, messages on their way included, when a part of the page asks for its own
  // at the moment in which the drawing ends: the click on a citation of the answer that has just appeared. What stands
  // last, the question field, then stayed as it was, locked for good, with nothing left to wait for on the server.
  clearTimeout(state.unfinished);
  const finished = () => {
    if (document.querySelector(`[data-drawing="${data.drawing}"]`)) return (state.redrawn = 0);
    state.redrawn = (state.redrawn || 0) + 1;
    state.component.setTriggerValue("act", { acts: state.acts, woken: Date.now() });
    state.unfinished = setTimeout(finished, patience());
  };
  const patience = () => WHOLE * 2 ** Math.min(state.redrawn || 0, 4);
  state.unfinished = setTimeout(finished, patience());

  const { download } = data;
  if (download && download.number !== state.saved) {
    state.saved = download.number;
    const type = download.name.endsWith(".html") ? "text/html" : "text/markdown";
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([download.text], { type }));
    link.download = download.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    setTriggerValue("saved", { number: download.number });
  }

  // A field that is opened stands where it belongs, often far from what is on the screen.
  const reach = (tries) => {
    const field = document.querySelector(data.reach);
    if (!field && tries) return setTimeout(() => reach(tries - 1), 100);
    field?.scrollIntoView({ block: "center" });
    field?.focus({ preventScroll: true });
  };
  if (data.reach && data.reach !== state.reach) reach(50);
  state.reach = data.reach;

  const say = (button, words) => {
    const before = button.dataset.label || button.textContent;
    button.dataset.label = before;
    button.textContent = words;
    clearTimeout(button.timer);
    button.timer = setTimeout(() => (button.textContent = before), 1600);
  };
  const copy = async (button, words) => {
    try {
      await navigator.clipboard.writeText(words);
    } catch {
      // Without https the clipboard is closed to scripts; a selected field can still be copied from.
      const field = document.createElement("textarea");
      field.value = words;
      field.style.position = "fixed";
      field.style.opacity = "0";
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
    }
    say(button, "Copied");
  };
  const onClick = (event) => {
    const button = event.target.closest?.("button[data-act]");
    if (!button) return;
    const { act, message, words } = button.dataset;
    if (act === "copy") copy(button, words);
    else if (act === "private") copy(button, `${location.origin}${location.pathname}#private=${state.component.data.id}`);
    else {
      tell({ act, message });
      acknowledge(button, act);
    }
  };

  // What was pressed is told again until Python has done it: Streamlit loses events while it is busy.
  const tell = (what) => {
    if (what) {
      state.last = Math.max(Date.now(), (state.last || 0) + 1, (state.component.data.acted || 0) + 1);
      state.acts.push({ ...what, number: state.last });
    }
    clearTimeout(state.again);
    if (!state.acts.length) return;
    state.component.setTriggerValue("act", { acts: state.acts });
    state.again = setTimeout(() => tell(), 2000);
  };
  const acknowledge = (button, act) => {
    const row = button.parentElement;
    if (act === "retry" || act === "earlier") say(button, act === "retry" ? "Asking …" : "Going there …");
    if (act === "show" && innerWidth <= 760) document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
    if (act !== "helpful" && act !== "unhelpful") return;
    const on = button.getAttribute("aria-pressed") !== "true";
    for (const each of row.querySelectorAll("[aria-pressed]")) each.setAttribute("aria-pressed", "false");
    button.setAttribute("aria-pressed", String(on));
    row.querySelector(".noted").textContent = on ? "Noted. Press it again to take it back." : "Taken back.";
  };

  // HTML that is drawn again takes the keyboard's place with it when it was on one of its buttons.
  const held = (node) => {
    const button = node.closest?.("button[data-act]");
    if (button) return { act: button.dataset.act, message: button.dataset.message };
    const beside = node.closest?.('[class*="st-key-beside-"]')?.className.match(/st-key-beside-(\w+)/);
    return beside ? { act: "menu", message: beside[1] } : undefined;
  };
  const hold = (event) => (state.held = event.type === "focusin" ? held(event.target) : undefined);
  const regain = () => {
    if (!state.held || document.activeElement !== document.body) return;
    const those = [...document.querySelectorAll(`button[data-act="${state.held.act}"]`)];
    (those.find((button) => button.dataset.message === state.held.message) || those.pop())?.focus({ preventScroll: true });
  };

  // A question that Streamlit loses would vanish from its field without a word.
  const QUESTION = '[data-testid="stChatInputTextArea"]';
  const onQuestion = (event) => {
    const sends = event.type === "click" ? event.target.closest?.('[data-testid="stChatInputSubmitButton"]')
      : event.key === "Enter" && !event.shiftKey && !event.isComposing && event.target.matches?.(QUESTION);
    const words = document.querySelector(QUESTION)?.value.trim();
    if (!sends || !words) return;
    const { asked } = state.component.data;
    clearTimeout(state.asking);
    state.asking = setTimeout(() => {
      if (state.component.data.asked === asked) tell({ act: "ask", message: `${asked}:${words}` });
    }, HEARD);
  };

  // Files. Streamlit's field drops what is not a PDF without a word when a PDF came with it, and on a loaded machine
  // it waits for good for the address to send a file to.
  const FIELD = '[class*="st-key-upload-"] [data-testid="stFileUploaderDropzone"]';
  const onFiles = (event) => {
    const field = event.target.closest?.(FIELD);
    const files = [...((event.dataTransfer || event.target).files || [])];
    if (!field || !files.length || event === state.resent) return;
    const isPdf = (file) => /\.pdf$/i.test(file.name);
    const others = files.filter((file) => !isPdf(file));
    const pdfs = files.filter(isPdf);
    if (others.length && pdfs.length) tell({ act: "refused", names: others.map((file) => file.name) });
    if (pdfs.length) expect({ uploads: state.component.data.uploads, files: pdfs, tries: 1 });
  };
  const expect = (sent) => {
    clearTimeout(state.arrival);
    state.arrival = setTimeout(() => {
      if (state.component.data.uploads !== sent.uploads) return;
      if (document.querySelector('[class*="st-key-upload-"] [data-testid="stFileUploaderFile"]')) return expect(sent);
      const input = document.querySelector(`${FIELD} input[type=file]`);
      if (sent.tries && input) {
        const again = new DataTransfer();
        for (const file of sent.files) again.items.add(file);
        input.files = again.files;
        input.dispatchEvent((state.resent = new Event("change", { bubbles: true })));
        expect({ ...sent, tries: sent.tries - 1 });
      } else tell({ act: "lost", names: sent.files.map((file) => file.name) });
    }, ARRIVAL);
  };
  const listeners = [["drop", onFiles], ["change", onFiles], ["click", onQuestion], ["keydown", onQuestion],
    ["focusin", hold], ["pointerdown", hold], ["click", onClick]];
  state.silence?.();
  for (const [kind, heard] of listeners) document.addEventListener(kind, heard, true);
  // When answers move into a group they would be seen twice until Streamlit takes away where they stood before.
  const once = () => {
    const seen = new Set();
    for (const article of document.querySelectorAll("article[data-exchange]")) {
      article.hidden = seen.has(article.dataset.exchange);
      seen.add(article.dataset.exchange);
    }
  };
  const redrawn = new MutationObserver(() => {
    once();
    regain();
  });
  redrawn.observe(document.body, { childList: true, subtree: true });
  state.silence = () => {
    for (const [kind, heard] of listeners) document.removeEventListener(kind, heard, true);
    redrawn.disconnect();
  };
  return () => {
    clearInterval(state.wake);
    clearTimeout(state.unfinished);
    state.silence();
  };
}
