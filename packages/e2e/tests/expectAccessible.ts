import AxeBuilder from '@axe-core/playwright';
import { expect, type Locator, type Page } from '@playwright/test';

const WCAG_2_1_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'];

const LOOKS = (['light', 'dark'] as const).flatMap(colorScheme =>
  [1440, 360].map(width => ({ colorScheme, width })),
);

/**
 * Checks a page that is loaded, light and dark, on a desk and in a hand: it keeps WCAG
 * 2.1 AA and fits its window.
 *
 * @param shown - what is visible once the page is there.
 */
export async function expectAccessible(
  page: Page,
  what: string,
  shown: Locator,
): Promise<void> {
  for (const { colorScheme, width } of LOOKS) {
    const look = `${what}, ${colorScheme}, ${width} px`;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    await expect(shown.first(), look).toBeVisible();
    await expectNoViolations(page, look);
    await expectNoSidewaysScroll(page, look);
  }
}

/** By axe, against WCAG 2.1 AA. */
export async function expectNoViolations(
  page: Page,
  what: string,
): Promise<void> {
  await endTransitions(page);
  const { violations } = await new AxeBuilder({ page })
    .withTags(WCAG_2_1_AA)
    .analyze();
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`,
  );
  expect(found, what).toEqual([]);
}

/**
 * Ends the transitions under way and those to come: halfway from one colour to the
 * next, a control has the contrast of neither, and what a page loads may start one
 * while axe reads it.
 */
async function endTransitions(page: Page): Promise<void> {
  await page.addStyleTag({
    content: '*, *::before, *::after { transition: none !important; }',
  });
}

/** A page wider than its window makes people scroll sideways. */
export async function expectNoSidewaysScroll(
  page: Page,
  what: string,
): Promise<void> {
  const excess = await page.evaluate(
    () => document.documentElement.scrollWidth - window.innerWidth,
  );
  expect(excess, what).toBeLessThanOrEqual(0);
}
