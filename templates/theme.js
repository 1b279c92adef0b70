// Before the page is drawn, so that a chosen theme does not flash.
try {
  const theme = localStorage.getItem("greatness-theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
} catch { /* A browser may forbid storage; then the system's theme stands. */ }
