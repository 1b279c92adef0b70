// Runs before the page is drawn, so that the chosen theme applies at once.
try {
  const theme = localStorage.getItem("greatness-theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
} catch { /* Without storage, the system's theme applies. */ }
// Reserves space for the parts that scripts add, so that the page does not jump.
document.documentElement.classList.add("scripted");
