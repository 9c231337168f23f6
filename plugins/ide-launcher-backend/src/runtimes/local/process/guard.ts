import { ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendSignal } from '@slipway/processes';
import { InstallationPaths, WorkspacePaths } from '../files/WorkspacePaths';
import { GATE_STDIO } from '../network/NetworkGate';
import { LeaseOptions, LocalRuntimeLimits } from '../options';
import { sweepProcesses } from './processTable';
import {
  isGuardAlive,
  readRunState,
  removeRunState,
  RunState,
} from './runState';

/** Exit code of a guard that ended its editor because the portal did not return. */
const LEASE_EXPIRED_EXIT_CODE = 75;

/**
 * Stands between the portal and an editor. It ends the editor when told to, or
 * when the lease shows no new beat for too long; it then also kills whatever
 * carries the workspace's mark, because terminals live in sessions of their
 * own. POSIX shell: it must outlive the portal and needs next to no memory.
 */
const GUARD_SCRIPT = `
umask 077
lease=$1 poll=$2 misses=$3 mark=$4 exit_file=$5
shift 5
told= expired=
"$@" &
ide=$!
trap 'told=1; kill -TERM "$ide" 2>/dev/null' TERM INT HUP
trap 'expired=1; kill -TERM "$ide" 2>/dev/null' USR1
(
  trap - TERM INT HUP USR1
  seen= missed=0
  while sleep "$poll"; do
    beat=
    { read -r beat <"$lease"; } 2>/dev/null
    if [ "$beat" = "$seen" ]; then missed=$((missed + 1)); else missed=0; fi
    seen=$beat
    if [ "$missed" -ge "$misses" ]; then
      kill -USR1 $$
      sleep 5
      kill -KILL "$ide" 2>/dev/null
      exit
    fi
  done
) &
watch=$!
while :; do
  wait "$ide"
  code=$?
  kill -0 "$ide" 2>/dev/null || break
done
kill "$watch" 2>/dev/null
[ -z "$expired" ] || code=${LEASE_EXPIRED_EXIT_CODE}
echo "$code" >"$exit_file"
if [ -z "$told" ]; then
  for file in $(grep -laF "$mark" /proc/[0-9]*/environ 2>/dev/null); do
    pid=\${file#/proc/}
    pid=\${pid%/environ}
    [ "$pid" = "$$" ] || kill -KILL "$pid" 2>/dev/null
  done
fi
exit "$code"
`;

/** An editor to run under a guard. */
interface GuardedEditor {
  command: string[];
  cwd: string;
  /** The whole environment; nothing is inherited. */
  env: Record<string, string>;
  /** Text that the environment of every process of the workspace contains. */
  mark: string;
  logFile: string;
  exitCodeFile: string;
  leaseFile: string;
  lease: LeaseOptions;
  /** Gives the editor the pipes of a sandbox with a network of its own. */
  gated: boolean;
}

/** Starts an editor under a guard, in a session and process group of its own. */
export function spawnGuarded(editor: GuardedEditor): ChildProcess {
  const { intervalMs, timeoutMs } = editor.lease;
  const log = openSync(editor.logFile, 'a', 0o600);
  try {
    return spawn(
      '/bin/sh',
      [
        '-c',
        GUARD_SCRIPT,
        'slipway-guard',
        editor.leaseFile,
        String(intervalMs / 1000),
        String(Math.max(1, Math.ceil(timeoutMs / intervalMs))),
        editor.mark,
        editor.exitCodeFile,
        ...editor.command,
      ],
      {
        cwd: editor.cwd,
        env: editor.env,
        detached: true,
        stdio: ['ignore', log, log, ...(editor.gated ? GATE_STDIO : [])],
      },
    );
  } finally {
    closeSync(log);
  }
}

/** Puts the end of a guard into a sentence for people. */
function describeExit(
  code: number | null,
  signal: NodeJS.Signals | null,
): string {
  if (signal) {
    return `The editor was killed (${signal})`;
  }
  if (code === LEASE_EXPIRED_EXIT_CODE) {
    return 'The editor was stopped because the portal was unavailable for too long';
  }
  if (code !== null && code > 128) {
    return `The editor was killed (${signalName(code - 128)})`;
  }
  return code === 0 || code === null
    ? 'The editor ended unexpectedly'
    : `The editor ended with exit code ${code}`;
}

function signalName(number: number): string {
  const found = Object.entries(constants.signals).find(
    ([, value]) => value === number,
  );
  return found?.[0] ?? `signal ${number}`;
}

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

/**
 * The portal's sign of life: a file whose content changes at each beat. The
 * guards of the editors compare contents, not times, so that a suspended
 * machine or a changed clock ends nothing.
 */
export class Lease {
  readonly #file: string;
  readonly #timer: NodeJS.Timeout;
  #beats = 0;

  /** Beats at once and then every `intervalMs`, until {@link stop}. */
  constructor(file: string, intervalMs: number) {
    this.#file = file;
    this.#beat();
    this.#timer = setInterval(() => this.#beat(), intervalMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #beat() {
    this.#beats += 1;
    const draft = `${this.#file}.${process.pid}`;
    try {
      writeFileSync(draft, `${process.pid}-${Date.now()}-${this.#beats}\n`, {
        mode: 0o600,
      });
      renameSync(draft, this.#file);
    } catch {
      // A full disk must not end the portal; the guards allow several misses.
    }
  }
}

/** Ends what an earlier run of a workspace left: its recorded guard, and any process with its mark. */
export async function clearWorkspace(
  {
    installation,
    options,
  }: {
    installation: InstallationPaths;
    options: { limits: Pick<LocalRuntimeLimits, 'stopTimeoutMs'> };
  },
  id: string,
): Promise<void> {
  const paths = installation.of(id);
  const state = await readRunState(paths);
  if (state) {
    await endGuard(state, options.limits.stopTimeoutMs);
  }
  await sweepProcesses(installation.installation, owner => owner === id);
  await removeRunState(paths);
  for (const folder of [paths.run, paths.tmp]) {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
