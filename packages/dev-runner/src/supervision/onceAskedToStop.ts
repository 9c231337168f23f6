const PARENT_CHECK_MS = 1_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface StopListener {
  /** Called once, with the reason in a few words. */
  first: (reason: string) => void;
  /** Called for every further request: somebody is tired of waiting. */
  again: () => void;
}

/** Tells a listener of every request to stop. */
export type StopRequests = (listener: StopListener) => void;

/**
 * Listens for what may ask the runner to stop: a signal, the end of the
 * terminal that reads its output, or the death of the yarn that started it
 * (a kill -9 of yarn reaches nobody else).
 */
export const onceAskedToStop: StopRequests = listener => {
  let asked = false;
  const request = (reason: string, insistent: boolean) => {
    if (!asked) {
      asked = true;
      listener.first(reason);
    } else if (insistent) {
      listener.again();
    }
  };
  for (const signal of SIGNALS) {
    process.on(signal, () => request(signal, true));
  }
  process.stdout.on('error', () => request('nobody reads the output', false));
  if (process.env.npm_lifecycle_event) {
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) {
        request('yarn is gone', false);
      }
    }, PARENT_CHECK_MS).unref();
  }
};
