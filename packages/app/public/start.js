// Runs before anything is shown: until the app applies its theme, the page has the colours of the
// chosen one. A file of its own, because the content security policy allows no inline scripts.
(() => {
  let theme;
  try {
    // The place where Backstage stores the choice; empty if the theme is that of the system.
    theme = window.localStorage.getItem('theme');
  } catch {
    // Storage is disabled.
  }
  if (theme === 'light' || theme === 'dark') {
    document.querySelector('meta[name="color-scheme"]').content = theme;
  }
})();
