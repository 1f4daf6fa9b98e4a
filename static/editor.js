// Keeps what is typed in this browser until it is saved. The editor works the
// same without it.
(() => {
  "use strict";
  const form = document.getElementById("editor");
  const hint = document.getElementById("autosave");
  if (!form || !hint) return;
  const names = ["title", "body", "excerpt", "tags", "slug", "seo_title", "seo_description"];
  const key = "inkstone:" + location.pathname;
  const typed = () => JSON.stringify(names.map((name) => form.elements[name].value));
  const read = () => { try { return localStorage.getItem(key); } catch { return null; } };
  const write = (text) => {
    try {
      if (text === null) localStorage.removeItem(key);
      else localStorage.setItem(key, text);
    } catch { /* a full or closed store keeps nothing, and nothing is lost by that */ }
  };
  if (new URLSearchParams(location.search).has("done")) {
    write(null);
    try { localStorage.removeItem("inkstone:/write"); } catch { /* as above */ }
    // Said once: after a reload what was typed since must still be there.
    history.replaceState(null, "", location.pathname);
  }
  let stored = typed();
  const kept = read();
  if (kept !== null && kept !== stored) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "flat";
    button.textContent = hint.dataset.restore;
    button.addEventListener("click", () => {
      JSON.parse(kept).forEach((text, n) => { form.elements[names[n]].value = text; });
      button.remove();
    });
    hint.textContent = hint.dataset.found + " ";
    hint.append(button);
  }
  let timer = 0;
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => { const now = typed(); if (now !== stored) write(now); stored = now; }, 1000);
  });
})();
