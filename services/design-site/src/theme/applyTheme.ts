/** Puts the document into a colour mode, as the portal does. */
export function applyTheme(theme: 'light' | 'dark'): void {
  const { dataset, style } = document.documentElement;
  dataset.themeMode = theme;
  dataset.themeName = 'slipway';
  style.colorScheme = theme;
}
