// What Streamlit has no widget for: the visitor's private id in a cookie instead of the address bar, private
// links, copying, and the buttons inside an answer.

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const state = (parentElement.docengine ||= { nonce: 0 });
  state.component = component;
  if (!document.querySelector('meta[name="referrer"]')) {
    const meta = document.createElement("meta");
    meta.name = "referrer";
    meta.content = "no-referrer";
    document.head.append(meta);
  }
  document.documentElement.lang ||= "en";
  if (!state.guard) {
    // Streamlit's page stops for good when an element arrives whose place it has never heard of, which happens
    // when a drawing is broken off on a loaded machine. Everything is kept on the server, so loading it anew helps.
    state.guard = (event) => {
      const last = Number(sessionStorage.getItem("docengine-reloaded") || 0);
      if (/delta path/.test(event.message || "") && Date.now() - last > 10000) {
        sessionStorage.setItem("docengine-reloaded", String(Date.now()));
        location.reload();
      }
    };
    window.addEventListener("error", state.guard);
  }
  const { cookie, seconds, id } = data;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  const adopt = new URLSearchParams(location.hash.slice(1)).get("private");
  if (adopt) {
    history.replaceState(null, "", location.pathname + location.search);
    if (adopt !== id) setTriggerValue("adopt", { id: adopt });
  }
  if (id) document.cookie = `${cookie}=${id}; Path=/; SameSite=Strict; Max-Age=${seconds}${secure}`;

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

  // The field for editing a question opens where the question stands, often far above what is on the screen.
  const reach = (tries) => {
    const field = document.querySelector(`.st-key-edited-${data.editing} textarea`);
    if (!field && tries) return setTimeout(() => reach(tries - 1), 100);
    field?.scrollIntoView({ block: "center" });
    field?.focus({ preventScroll: true });
  };
  if (data.editing && data.editing !== state.editing) reach(50);
  state.editing = data.editing;

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
    else state.component.setTriggerValue("act", { act, message, nonce: ++state.nonce });
  };
  document.removeEventListener("click", state.onClick);
  state.onClick = onClick;
  document.addEventListener("click", onClick);
  return () => document.removeEventListener("click", onClick);
}
