import type { Page } from '@playwright/test';

declare global {
  interface Window {
    /** How often the document has changed. */
    changes: number;
  }
}

/** Counts the changes of each document that the page loads from now on. */
export async function countChanges(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.changes = 0;
    new MutationObserver(() => {
      window.changes += 1;
    }).observe(document, {
      attributes: true,
      characterData: true,
      childList: true,
      subtree: true,
    });
  });
}

/**
 * Waits until nothing changes any more, and nothing loads. Call {@link countChanges} first. Fails
 * after half a minute.
 *
 * @param options.isLoading - true if no server responds, so that skeletons stay.
 * @param options.isNew - true for a page that was just opened or has changed its mode: skeletons and
 *   styles appear after a while.
 */
export async function untilQuiet(
  page: Page,
  options: { isLoading?: boolean; isNew?: boolean },
): Promise<void> {
  await page.evaluate(async ({ isLoading = false, isNew = false }) => {
    await document.fonts.ready;
    const rounds = isNew ? 6 : 2;
    let before = -1;
    let equal = 0;
    for (let round = 0; round < 600 && equal < rounds; round += 1) {
      await new Promise(resolve => setTimeout(resolve, 50));
      // On a busy machine, no frame may have been rendered since, in which parts learn their new
      // size.
      await new Promise(resolve => requestAnimationFrame(resolve));
      // Without data, a progress bar means that a part of the app is still loading, or an entity that
      // never arrives. Otherwise there may be skeletons as well, and cards of the home page reserve
      // room for a while.
      const isBusy = isLoading
        ? round < 40 && document.querySelector('[role="progressbar"]')
        : document.querySelector(
            '[aria-busy="true"], [role="progressbar"], :is(.slw-HomeInbox, .slw-HomeColumn > *)[style*="min-height"]',
          );
      const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
      const body = getComputedStyle(document.body);
      const text = body.getPropertyValue('--slipway-text').trim();
      const channels = [1, 3, 5].map(at =>
        parseInt(text.slice(at, at + 2), 16),
      );
      // Styles of a theme follow its mode, without a change of the document.
      const isThemed =
        document.body.dataset.themeMode === (isDark ? 'dark' : 'light') &&
        body.color === `rgb(${channels.join(', ')})`;
      equal = window.changes === before && isThemed && !isBusy ? equal + 1 : 0;
      before = window.changes;
    }
    if (equal < rounds) {
      throw new Error(`${window.location.pathname} does not stop changing`);
    }
  }, options);
}
