import type { Logger } from 'pino';

/** Something to be done every so often while the service runs. */
export interface PeriodicWork {
  /** Names it in the log, e.g. `Deleting old messages`. */
  name: string;
  /** Milliseconds from one beginning to the next. */
  everyMs: number;
  /** Holds up the start of the service until the first round is over. */
  isAwaitedAtStart?: boolean;
  /** @param signal - aborted when the service stops, which then waits for the work. */
  work(signal: AbortSignal): Promise<unknown>;
}

/**
 * Does it at once when the service starts and then every so often; a round that takes
 * longer is not overtaken by the next. What goes wrong is logged once until it goes well
 * again, and never ends the process.
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
    const timer = setInterval(round, everyMs);
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
