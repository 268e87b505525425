// The reader's choice of light or dark, before anything is drawn.
try {
  const chosen = localStorage.getItem("lazyrich-theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
} catch (_) {
  // no storage: the system's choice stands
}
