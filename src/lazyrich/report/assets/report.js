"use strict";
// Formulas, the switch between light and dark, copying of commands, and the filters of the first page.

for (const element of document.querySelectorAll(".formula")) {
  const text = element.textContent;
  try {
    katex.render(element.dataset.tex, element, { throwOnError: true, strict: "ignore" });
  } catch (_) {
    element.textContent = text; // as it was written
    element.classList.add("unset");
  }
}

const dark = matchMedia("(prefers-color-scheme: dark)");
const theme = document.getElementById("theme");
theme.hidden = false;
theme.addEventListener("click", () => {
  const now = document.documentElement.dataset.theme || (dark.matches ? "dark" : "light");
  const next = now === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem("lazyrich-theme", next);
  } catch (_) {
    // it lasts for this page only
  }
});

for (const block of document.querySelectorAll("pre")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "copy";
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(block.querySelector("code").textContent);
      button.textContent = "copied";
    } catch (_) {
      getSelection().selectAllChildren(block.querySelector("code"));
      button.textContent = "selected";
    }
    setTimeout(() => (button.textContent = "copy"), 1500);
  });
  block.append(button);
}

const form = document.getElementById("filters");
if (form) {
  const rows = [...document.querySelectorAll(".claims > li")];
  const names = ["q", "paper", "kind", "verdict"];

  const filter = () => {
    const words = form.elements.q.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const fits =
        names.slice(1).every((name) => !form.elements[name].value || row.dataset[name] === form.elements[name].value) &&
        words.every((word) => row.dataset.text.includes(word));
      row.hidden = !fits;
      shown += fits;
    }
    for (const section of document.querySelectorAll("section.paper")) {
      section.hidden = !section.querySelector(".claims > li:not([hidden])");
    }
    document.getElementById("shown").textContent = `${shown} of ${rows.length} shown`;
    document.getElementById("none").hidden = shown > 0;
  };

  const read = () => {
    const asked = new URLSearchParams(location.hash.slice(1));
    for (const name of names) {
      form.elements[name].value = asked.get(name) || "";
      if (form.elements[name].selectedIndex === -1) form.elements[name].value = "";
    }
    filter();
  };

  const write = () => {
    const asked = new URLSearchParams();
    for (const name of names) if (form.elements[name].value) asked.set(name, form.elements[name].value);
    history.replaceState(null, "", asked.size ? `#${asked}` : location.pathname + location.search);
    filter();
  };

  form.hidden = false;
  form.addEventListener("input", write);
  form.addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("reset").addEventListener("click", () => {
    form.reset();
    write();
    form.elements.q.focus();
  });
  addEventListener("hashchange", read);
  addEventListener("keydown", (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      form.elements.q.focus();
    }
  });
  read();
}
