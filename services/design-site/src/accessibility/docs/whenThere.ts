const INTERVAL_MS = 100;

/**
 * The first thing that `find` finds, tried again until it does; null when aborted
 * first. Asked again and again, for what is in a frame tells nobody of itself.
 */
export async function whenThere(
  find: () => Element | null | undefined,
  signal: AbortSignal,
): Promise<Element | null> {
  while (!signal.aborted) {
    const found = find();
    if (found) {
      return found;
    }
    await new Promise(resolve => {
      setTimeout(resolve, INTERVAL_MS);
    });
  }
  return null;
}
