const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** A connection that works for this long does not end because of a recurring failure. */
const LASTING_MS = 10_000;

/**
 * Connects again when a connection ends or fails: immediately if it has worked for a while, as
 * servers end connections regularly, and otherwise with increasing delays.
 *
 * @param connect - settles when the connection has ended; calls back when it works.
 * @param signal - ends it; the caller also passes it to the connection.
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
