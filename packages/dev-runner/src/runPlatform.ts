import type { PlatformLog } from './output/PlatformLog.ts';
import type { PartDefinition } from './PartDefinition.ts';
import { findTakenPorts } from './ports/findTakenPorts.ts';
import { endStaleParts } from './runs/endStaleParts.ts';
import { RunRecords } from './runs/RunRecords.ts';
import type { StopRequests } from './supervision/onceAskedToStop.ts';
import { Platform } from './supervision/Platform.ts';

/** What an earlier run left behind had its chance to end by itself. */
const STALE_GRACE_MS = 5_000;

export interface RunPlatformOptions {
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
 * Runs the platform from the first check until the last process has ended.
 * Resolves to the exit code.
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
