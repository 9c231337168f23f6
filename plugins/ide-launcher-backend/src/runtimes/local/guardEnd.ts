import { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeExit } from './guard';
import { sendSignal } from './processTable';
import { isGuardAlive, RunState } from './runState';
import { WorkspacePaths } from './WorkspacePaths';

const ADOPTED_POLL_MS = 1_000;
const END_POLL_MS = 25;

/** Ends the process group of a guard that may be another portal's: asks it to, and kills it when it does not. */
export async function endGuard(
  state: RunState,
  timeoutMs: number,
): Promise<void> {
  if (!(await isGuardAlive(state))) {
    return;
  }
  sendSignal(-state.pid, 'SIGTERM');
  const end = Date.now() + timeoutMs;
  while (Date.now() < end) {
    if (!(await isGuardAlive(state))) {
      break;
    }
    await sleep(END_POLL_MS);
  }
  sendSignal(-state.pid, 'SIGKILL');
}

/** Resolves when this portal's own guard is gone, with a sentence for people. */
export function guardExit(child: ChildProcess): Promise<string> {
  return new Promise(resolve => {
    child.on('error', error =>
      resolve(`The editor could not be started: ${error.message}`),
    );
    child.on('exit', (code, signal) => resolve(describeExit(code, signal)));
  });
}

/**
 * As {@link guardExit}, for the guard of an earlier portal: its exit is not
 * reported to this one, so its pid is watched instead.
 */
export async function adoptedGuardExit(
  state: RunState,
  paths: Pick<WorkspacePaths, 'exitCode'>,
): Promise<string> {
  while (await isGuardAlive(state)) {
    await sleep(ADOPTED_POLL_MS, undefined, { ref: false });
  }
  const code = await readFile(paths.exitCode, 'utf8').catch(() => '');
  return code === ''
    ? 'The editor was killed'
    : describeExit(Number(code), null);
}
