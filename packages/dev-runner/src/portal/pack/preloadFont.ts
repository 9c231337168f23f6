import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The font of the first page: Latin letters, in all weights. */
const FONT = /^inter-latin-wght-normal\.\w+\.woff2$/;
const STYLESHEET =
  /<link href="([^"]*?)static\/[\w.-]+\.css" rel="stylesheet">/;

/**
 * Lets pages load their font together with their scripts. Otherwise the browser discovers the
 * font only when it renders the first text, in a fallback font with other line heights.
 *
 * @param dist - absolute path of the built app.
 * @param pages - names of its pages.
 */
export function preloadFont(dist: string, pages: readonly string[]): void {
  const font = readdirSync(path.join(dist, 'static')).find(name =>
    FONT.test(name),
  );
  for (const file of pages.map(name => path.join(dist, name))) {
    const page = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const [stylesheet, prefix] = STYLESHEET.exec(page) ?? [];
    if (font && stylesheet && !page.includes(font)) {
      const link = `<link rel="preload" as="font" type="font/woff2" href="${prefix}static/${font}" crossorigin>`;
      writeFileSync(
        file,
        page.replace(stylesheet, () => link + stylesheet),
      );
    }
  }
}
