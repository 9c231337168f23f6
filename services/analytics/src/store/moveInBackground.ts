import type { ServiceKit } from '@slipway/service-kit';
import type { LocalEventStore } from './LocalEventStore.ts';

const LOOK_MS = 1_000;
/** An engine that does not run is started ever less often. */
const LONGEST_MS = 5 * 60_000;

/**
 * Looks again and again whether many events wait, and has them moved.
 *
 * @returns what ends it.
 */
export function moveInBackground(
  store: Pick<LocalEventStore, 'moveMany'>,
  logger: Pick<ServiceKit['logger'], 'warn'>,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const wait = (pause: number) => {
    timer = setTimeout(async () => {
      let next = LOOK_MS;
      try {
        await store.moveMany();
      } catch (error) {
        next = Math.min(2 * pause, LONGEST_MS);
        logger.warn({ err: error }, 'Events could not be moved into chDB');
      }
      if (timer) {
        wait(next);
      }
    }, pause);
  };
  wait(LOOK_MS);
  return () => {
    clearTimeout(timer);
    timer = undefined;
  };
}
