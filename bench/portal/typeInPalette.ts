import type { Page } from '@playwright/test';

/** Texts to type: names, two words, a person, an action, and a text without matches. */
const WORDS = [
  'checkout',
  'payments api',
  'flag gift',
  'ada',
  'create workspace',
  'xylophone',
];

/**
 * Pause between keys, in milliseconds: short enough that responses of servers often arrive after
 * the next key.
 */
const PAUSE_MS = 180;

/** How long to wait for the palette to load its lists, in milliseconds. */
const LISTED_MS = 3_000;

declare global {
  interface Window {
    /** Milliseconds from each key press to the frame that shows its results. */
    paletteTimes: number[];
  }
}

/**
 * Opens the palette and types into it.
 *
 * @returns milliseconds from each key press to the frame that shows its results. A key that
 *   changes no result, such as a space, has none.
 */
export async function typeInPalette(page: Page): Promise<number[]> {
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox');
  await field.waitFor();
  await page.getByRole('option').first().waitFor();
  // Meanwhile, the palette loads its lists, such as all entities and flags.
  await page.waitForTimeout(LISTED_MS);
  await page.evaluate(watchResults);
  for (const words of WORDS) {
    await field.fill('');
    await page.waitForTimeout(PAUSE_MS);
    for (const letter of words) {
      await page.keyboard.press(letter === ' ' ? 'Space' : letter);
      await page.waitForTimeout(PAUSE_MS);
    }
  }
  return page.evaluate(() => window.paletteTimes);
}

/** Runs in the page; measures from each key press to the frame after the first change of the results. */
function watchResults(): void {
  window.paletteTimes = [];
  const list = document.querySelector('.slw-PaletteResults')!;
  let pressedAt: number | undefined;
  document.addEventListener(
    'keydown',
    event => {
      pressedAt = event.timeStamp;
    },
    { capture: true },
  );
  new MutationObserver(() => {
    const from = pressedAt;
    pressedAt = undefined;
    if (from !== undefined) {
      requestAnimationFrame(() => {
        // A task that is queued in a frame's callback runs after the frame is painted.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () =>
          window.paletteTimes.push(performance.now() - from);
        port2.postMessage(null);
      });
    }
  }).observe(list, { characterData: true, childList: true, subtree: true });
}
