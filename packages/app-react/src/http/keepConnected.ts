const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Connects again when a connection ends or fails, later each time it fails.
 *
 * @param connect - settles when the connection has ended; calls back when it works.
 * @param signal - ends it, and is passed on by the caller to `connect`.
 */
export function keepConnected(
  connect: (onWorking: () => void) => Promise<void>,
  signal: AbortSignal,
): void {
  let pause = FIRST_PAUSE_MS;
  const onWorking = () => {
    pause = FIRST_PAUSE_MS;
  };
  const run = () => {
    connect(onWorking)
      .catch(() => {})
      .then(() => {
        if (!signal.aborted) {
          const timer = setTimeout(run, pause);
          signal.addEventListener('abort', () => clearTimeout(timer), {
            once: true,
          });
          pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
        }
      });
  };
  run();
}
