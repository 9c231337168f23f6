import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Locator, type Page } from '@playwright/test';

const WCAG_2_2_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** The rules about colours, the only ones that can fail in dark mode but not in light mode. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * The rules about sizes and scrolling, and about the names of controls that appear in narrow
 * windows only, such as the menu button.
 */
const SIZE_RULES = [
  'aria-command-name',
  'aria-hidden-focus',
  'aria-input-field-name',
  'button-name',
  'label',
  'link-name',
  'nested-interactive',
  'scrollable-region-focusable',
  'target-size',
];

/** The source of axe, which {@link AxeBuilder} would otherwise send to the page twice per check. */
const AXE = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve(
    'axe-core/axe.min.js',
  ),
  'utf8',
);

/** Selects the copy of axe that {@link prepare} loaded, since the page may have loaded another one. */
const USE_AXE = 'window.axe = window.axeOfTests; undefined;';

interface Look {
  colorScheme: 'light' | 'dark';
  width: number;
  /** The axe rules to check; all of WCAG 2.2 AA if undefined. */
  rules?: readonly string[];
}

/** The look that is checked first. A page should load in it, to avoid rendering again for the check. */
const FIRST_LOOK: Look = {
  colorScheme: 'dark',
  width: 1440,
  rules: COLOUR_RULES,
};

/** The looks in which a page is checked. Each changes only one value, which makes the page render again. */
const LOOKS: readonly Look[] = [
  FIRST_LOOK,
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'light', width: 360, rules: SIZE_RULES },
];

/** Sets the colour scheme and size that {@link expectAccessible} checks first. */
export async function useFirstLook(page: Page): Promise<void> {
  await useLook(page, FIRST_LOOK);
}

async function useLook(page: Page, look: Look): Promise<void> {
  await page.emulateMedia({ colorScheme: look.colorScheme });
  await page.setViewportSize({ width: look.width, height: 800 });
}

/**
 * Checks that a loaded page meets WCAG 2.2 AA and fits its window. axe takes seconds for a large
 * page, so each look is checked only for what can differ in it:
 *
 * - dark, 1440 px: colours;
 * - light, 1440 px: all rules, because names, roles and structure are the same in every look;
 * - light, 360 px: sizes, scrolling and controls that only narrow windows have. Dark mode is left
 *   out at this width, because its colours are the same as at 1440 px.
 *
 * @param shown - an element that is visible once the page has loaded.
 */
export async function expectAccessible(
  page: Page,
  what: string,
  shown: Locator,
): Promise<void> {
  for (const look of LOOKS) {
    const name = `${what}, ${look.colorScheme}, ${look.width} px`;
    await useLook(page, look);
    await expect(shown.first(), name).toBeVisible();
    // The graph of the catalog still loads below its filters; its spinner is Backstage's, without a name.
    await expect(page.locator('.MuiCircularProgress-root'), name).toHaveCount(
      0,
    );
    await expectNoViolations(page, name, look.rules);
    await expectNoSidewaysScroll(page, name);
    await expectWholeHeaders(page, name);
  }
}

/**
 * Checks a page with axe against WCAG 2.2 AA.
 *
 * @param rules - checks only these rules; all of WCAG 2.2 AA by default.
 */
export async function expectNoViolations(
  page: Page,
  what: string,
  rules?: readonly string[],
): Promise<void> {
  await prepare(page);
  // Legacy mode skips frames of other origins, which no page has, and saves a blank page per run.
  const axe = new AxeBuilder({ page, axeSource: USE_AXE })
    .setLegacyMode()
    // Describing the rules that pass takes longer than checking them.
    .options({ resultTypes: ['violations'] });
  const { violations } = await (
    rules ? axe.withRules([...rules]) : axe.withTags(WCAG_2_2_AA)
  ).analyze();
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`,
  );
  expect(found, what).toEqual([]);
}

/**
 * Loads axe into each frame of a page, and disables all running and future transitions: halfway
 * between two colours, a control has the contrast of neither, and content that loads may start a
 * transition while axe runs. Each document is prepared only once, which takes a tenth of a second.
 */
async function prepare(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    if (!(await frame.evaluate(() => 'axeOfTests' in window))) {
      await frame.evaluate(
        `${AXE}; window.axeOfTests = window.axe; undefined;`,
      );
    }
  }
  await page.evaluate(() => {
    if (!document.querySelector('style#no-transitions')) {
      const style = document.createElement('style');
      style.id = 'no-transitions';
      style.textContent =
        '*, *::before, *::after { transition: none !important; }';
      document.head.append(style);
    }
  });
}

/**
 * Checks that a page does not scroll sideways; waits while it adapts its layout to a new width.
 */
export async function expectNoSidewaysScroll(
  page: Page,
  what: string,
): Promise<void> {
  const excess = () =>
    page.evaluate(
      () => document.documentElement.scrollWidth - window.innerWidth,
    );
  await expect.poll(excess, what).toBeLessThanOrEqual(0);
}

/** Checks that no table header cuts off its text at the bottom. */
export async function expectWholeHeaders(
  page: Page,
  what: string,
): Promise<void> {
  const clipped = await page.locator('th, th *').evaluateAll(elements =>
    elements
      .filter(
        element =>
          getComputedStyle(element).overflowY !== 'visible' &&
          element.scrollHeight > element.clientHeight + 1 &&
          // Text for screen readers only is one pixel high.
          element.clientHeight > 1,
      )
      .map(element => element.textContent),
  );
  expect(clipped, `${what}, clipped headers`).toEqual([]);
}
