import type { Logger } from 'pino';

/** Work that is repeated at an interval while the service runs. */
export interface PeriodicWork {
  /** Names the work in the log, e.g. `Deleting old messages`. */
  name: string;
  /** Milliseconds from one start to the next; at most 24 days. */
  everyMs: number;
  /** Delays the start of the service until the first run is over. */
  isAwaitedAtStart?: boolean;
  /**
   * Does the work once.
   *
   * @param signal - aborted when the service stops, which then waits for the work.
   */
  work(signal: AbortSignal): Promise<unknown>;
}

/** Node.js runs a timer with a longer interval every millisecond. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Runs the work when the service starts and then at its interval; runs never overlap. A failure is
 * logged once until a run succeeds again, and never ends the process.
 */
export function schedule(
  kit: {
    onStart(work: () => Promise<void>): void;
    onStop(work: () => Promise<void>): void;
    logger: Pick<Logger, 'info' | 'warn'>;
  },
  { name, everyMs, isAwaitedAtStart = false, work }: PeriodicWork,
): void {
  const { logger } = kit;
  const stopping = new AbortController();
  let isFailing = false;
  let running: Promise<void> | undefined;
  const tryIt = async () => {
    try {
      await work(stopping.signal);
      if (isFailing) {
        isFailing = false;
        logger.info(`${name} works again`);
      }
    } catch (error) {
      if (!isFailing && !stopping.signal.aborted) {
        isFailing = true;
        logger.warn({ err: error }, `${name} failed and will be retried`);
      }
    }
  };
  const round = () => {
    running ??= tryIt().finally(() => {
      running = undefined;
    });
    return running;
  };
  kit.onStart(async () => {
    const first = round();
    const timer = setInterval(round, Math.min(everyMs, LONGEST_MS));
    timer.unref();
    kit.onStop(async () => {
      clearInterval(timer);
      stopping.abort();
      await running;
    });
    if (isAwaitedAtStart) {
      await first;
    }
  });
}
