/** Time for a page to grow to its earlier height after going back to it, in milliseconds. */
const LOADING_MS = 5_000;

/** Events after which the user controls the scroll position. */
const INPUTS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/**
 * Scrolls an element to a position, which it may have only once its content has loaded. Gives up
 * after some seconds, and when the user scrolls or does anything else.
 */
export function restoreScroll(
  element: HTMLElement,
  top: number,
): { isRunning(): boolean; stop(): void } {
  let isRunning = true;
  const changes = new MutationObserver(() => apply());
  const timer = setTimeout(() => stop(), LOADING_MS);
  function stop() {
    isRunning = false;
    changes.disconnect();
    clearTimeout(timer);
    INPUTS.forEach(input => window.removeEventListener(input, stop, true));
  }
  function apply() {
    element.scrollTop = top;
    if (Math.abs(element.scrollTop - top) <= 1) {
      stop();
    }
  }
  INPUTS.forEach(input => window.addEventListener(input, stop, true));
  changes.observe(element, {
    childList: true,
    subtree: true,
    attributeFilter: ['style'],
  });
  apply();
  return { isRunning: () => isRunning, stop };
}
