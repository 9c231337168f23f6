import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { renderThemeCss } from './stylesheet';
import { breakpoints } from './tokens';

const css = renderThemeCss();

function variablesOf(text: string): Set<string> {
  return new Set(
    [...text.matchAll(/(--(?:bui|slipway)-[\w-]+)\s*:/g)].map(
      match => match[1],
    ),
  );
}

describe('renderThemeCss', () => {
  it('matches generated/theme.css', async () => {
    await expect(css).toMatchFileSnapshot('../../generated/theme.css');
  });

  it('overrides only variables that @backstage/ui has', () => {
    const stylesheet = createRequire(import.meta.url).resolve(
      '@backstage/ui/css/styles.css',
    );
    const known = variablesOf(readFileSync(stylesheet, 'utf8'));
    const unknown = [...variablesOf(css)].filter(
      name => name.startsWith('--bui-') && !known.has(name),
    );
    expect(unknown).toEqual([]);
  });

  it('changes layouts at the same widths as @backstage/ui', () => {
    const source = readFileSync(
      createRequire(import.meta.url)
        .resolve('@backstage/ui/css/styles.css')
        .replace('css/styles.css', 'hooks/useBreakpoint.esm.js'),
      'utf8',
    );
    const theirs = [...source.matchAll(/id: "(\w+)", value: (\d+)/g)]
      .map(([, id, value]) => [id, Number(value)])
      .filter(([id]) => id !== 'initial');
    expect(theirs).toEqual(Object.entries(breakpoints));
  });

  it('defines the same colours for dark and light', () => {
    const [light, dark] = css
      .split("[data-theme-mode='dark']")
      .map(variablesOf);
    const missing = [...light].filter(
      name =>
        !dark.has(name) &&
        !/-(font|weight|space|radius|motion|breakpoint)-/.test(name),
    );
    expect(missing).toEqual([]);
  });
});
