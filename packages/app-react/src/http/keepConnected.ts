const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** A connection that lasts longer does not end because of a failure that repeats. */
const LASTING_MS = 10_000;

/**
 * Connects again when a connection ends or fails: at once after a connection that has worked for
 * a while, as servers end those regularly, and otherwise later each time.
 *
 * @param connect - settles when the connection has ended; calls back when it works.
 * @param signal - ends it, and is passed on by the caller to `connect`.
 */
export function keepConnected(
  connect: (onWorking: () => void) => Promise<void>,
  signal: AbortSignal,
): void {
  let pause = FIRST_PAUSE_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  const run = () => {
    let worksSince = Infinity;
    const onWorking = () => {
      worksSince = Math.min(worksSince, performance.now());
      pause = FIRST_PAUSE_MS;
    };
    connect(onWorking)
      .catch(() => {})
      .then(() => {
        if (!signal.aborted) {
          const hasLasted = performance.now() - worksSince >= LASTING_MS;
          timer = setTimeout(run, hasLasted ? 0 : pause);
          pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
        }
      });
  };
  run();
}
