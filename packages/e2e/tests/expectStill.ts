import { expect, type Locator, type Page } from '@playwright/test';

/** The highest layout shift of a page; above 0.1, Core Web Vitals rate it as not good. */
export const MAX_SHIFT = 0.05;

declare global {
  interface Window {
    /** The sum of the layout shifts of the document. */
    layoutShift: number;
  }
}

/** Measures the layout shift of each document that the page loads from now on. */
export async function watchShift(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.layoutShift = 0;
    new PerformanceObserver(list => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = entry as PerformanceEntry & {
          value: number;
          hadRecentInput: boolean;
        };
        window.layoutShift += hadRecentInput ? 0 : value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/**
 * Opens a page at 1440 and at 360 px, and checks that it does not move while it loads. The second
 * visit is measured: on the first, the height of the content is unknown. Call {@link watchShift}
 * first.
 *
 * @param shown - an element that is visible once the page has loaded.
 */
export async function expectStill(
  page: Page,
  path: string,
  shown: Locator,
): Promise<void> {
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 800 });
    for (const _visit of ['first', 'second']) {
      await page.goto(path);
      await expect(shown.first()).toBeVisible();
      await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
      // `Steady` releases unused room after half a second.
      await page.waitForTimeout(800);
    }
    const shift = await page.evaluate(() => window.layoutShift);
    expect(shift, `layout shift of ${path}, ${width} px`).toBeLessThan(
      MAX_SHIFT,
    );
  }
}
