// Set the formulas of the pages (\( \) in a line, \[ \] on its own) and those in the words of claims.
for (const place of document.querySelectorAll(".arithmatex")) {
  const text = place.textContent.trim();
  katex.render(text.slice(2, -2), place, {displayMode: text.startsWith("\\["), throwOnError: false});
}
for (const place of document.querySelectorAll(".formula[data-tex]")) {
  katex.render(place.dataset.tex, place, {throwOnError: false, strict: "ignore"});
}
