import type { PlatformLog } from './output.ts';
import type { PartDefinition } from './parts.ts';
import { findTakenPorts } from './ports.ts';
import { endStaleParts, RunRecords } from './supervision/RunRecords.ts';
import { Platform } from './supervision/Platform.ts';

const PARENT_CHECK_MS = 1_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Handles requests to stop the runner. */
export interface StopListener {
  /** Called once, with the reason in a few words. */
  first: (reason: string) => void;
  /** Called for every further request: the user does not want to wait any longer. */
  again: () => void;
}

/** Calls a listener for every request to stop. */
type StopRequests = (listener: StopListener) => void;

/**
 * Listens for everything that may request the runner to stop: a signal, the end of the terminal
 * that reads its output, or the death of the yarn process that started it (a kill -9 of yarn
 * reaches no other process).
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

/** Milliseconds to stop for parts left behind by an earlier run, which have already had time to. */
const STALE_GRACE_MS = 5_000;

interface RunPlatformOptions {
  parts: readonly PartDefinition[];
  /** Absolute path of the repository. */
  root: string;
  /** Absolute path of `.data`. */
  stateDirectory: string;
  env: NodeJS.ProcessEnv;
  log: PlatformLog;
  askedToStop: StopRequests;
}

/**
 * Runs the platform from the first check until the last process has ended. Resolves to the exit
 * code.
 */
export async function runPlatform(
  options: RunPlatformOptions,
): Promise<number> {
  const { parts, root, stateDirectory, env, log, askedToStop } = options;
  const records = new RunRecords(stateDirectory);

  const other = records.runningRunner();
  if (other) {
    log.warn(`the platform runs already, as process ${other.pid}`);
    return 1;
  }
  const stale = await endStaleParts(records, { graceMs: STALE_GRACE_MS });
  if (stale.length > 0) {
    log.say(`ended what an earlier run left behind: ${stale.join(', ')}`);
  }
  const taken = await findTakenPorts(parts);
  if (taken.length > 0) {
    taken.forEach(message => log.warn(message));
    return 1;
  }

  records.recordRunner();
  const platform = new Platform({ parts, root, env, log, records });
  const stopped = new Promise<void>(resolve => {
    askedToStop({
      first: reason => {
        log.say(`${reason}, stopping every part`);
        void platform.stop().then(resolve);
      },
      again: () => platform.kill(),
    });
  });
  platform.start();
  await stopped;
  records.forgetRunner();
  log.say('everything has stopped');
  return 0;
}
