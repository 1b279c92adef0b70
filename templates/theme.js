// Before the page is drawn, so that a chosen theme does not flash.
try {
  const theme = localStorage.getItem("greatness-theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
} catch { /* A browser may forbid storage; then the system's theme stands. */ }
// What scripts bring has its place from the first moment, so that nothing jumps when they are there.
document.documentElement.classList.add("scripted");
