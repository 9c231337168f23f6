import { ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendSignal, startTimeOf } from '@slipway/processes';
import { z } from 'zod';
import { InstallationPaths, WorkspacePaths } from '../files/WorkspacePaths';
import { GATE_STDIO } from '../network/NetworkGate';
import { LeaseOptions, LocalRuntimeLimits } from '../options';
import { sweepProcesses } from './processTable';

/** Exit code of a guard that ended its editor because the portal did not return. */
const LEASE_EXPIRED_EXIT_CODE = 75;

/**
 * Supervises an editor on behalf of the portal. It ends the editor on request, or if the lease
 * is not renewed in time; it then also kills all processes with the workspace's mark, because
 * terminals run in separate sessions. A POSIX shell script, because it must outlive the portal
 * and needs very little memory.
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
  /** The complete environment; nothing is inherited. */
  env: Record<string, string>;
  /** Text contained in the environment of every process of the workspace. */
  mark: string;
  logFile: string;
  exitCodeFile: string;
  leaseFile: string;
  lease: LeaseOptions;
  /** True if the editor needs the pipes of a sandbox with its own network. */
  gated: boolean;
}

/** Starts an editor under a guard, in a new session and process group. */
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

/** Describes the end of a guard in a sentence for users. */
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

const runStateSchema = z.object({
  /** The guard, which leads the editor's process group. */
  pid: z.number().int().positive(),
  /** Distinguishes the guard from a later process with the same pid. */
  startTime: z.string(),
  socket: z.string(),
  healthPath: z.string(),
  editor: z.object({
    id: z.string(),
    title: z.string(),
    version: z.string().nullable(),
  }),
  /** The socket of the sandbox's agent; null without a sandbox. */
  agentSocket: z.string().nullable().default(null),
  /** null: unknown, because an older portal did not record it. */
  isolation: z
    .object({
      kind: z.enum(['bubblewrap', 'pods', 'none']),
      network: z.enum(['own', 'shared']),
      limits: z.object({
        memoryMebibytes: z.number().nullable(),
        processes: z.number().nullable(),
        openFiles: z.number().nullable(),
      }),
      gaps: z.array(z.string()),
    })
    .nullable()
    .default(null),
});

/** State on disk with which the next portal finds a running editor. */
export type RunState = z.infer<typeof runStateSchema>;

/** Reads a recorded state; null if it is missing or unreadable. */
export async function readRunState(file: string): Promise<RunState | null> {
  try {
    return runStateSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return null;
  }
}

/** Returns whether the recorded guard is still the process with its pid. */
export function isGuardAlive(state: RunState): boolean {
  return startTimeOf(state.pid) === state.startTime;
}

const ADOPTED_POLL_MS = 1_000;
const END_POLL_MS = 25;

/** Ends the process group of a guard, possibly an earlier portal's: gracefully first, then by force. */
export async function endGuard(
  state: RunState,
  timeoutMs: number,
): Promise<void> {
  if (!isGuardAlive(state)) {
    return;
  }
  sendSignal(-state.pid, 'SIGTERM');
  const end = Date.now() + timeoutMs;
  while (Date.now() < end) {
    if (!isGuardAlive(state)) {
      break;
    }
    await sleep(END_POLL_MS);
  }
  sendSignal(-state.pid, 'SIGKILL');
}

/** Resolves when this portal's own guard has ended, with a sentence for users. */
export function guardExit(child: ChildProcess): Promise<string> {
  return new Promise(resolve => {
    child.on('error', error =>
      resolve(`The editor could not be started: ${error.message}`),
    );
    child.on('exit', (code, signal) => resolve(describeExit(code, signal)));
  });
}

/**
 * Like {@link guardExit}, for the guard of an earlier portal. The exit of such a process is not
 * reported to this one, so its pid is polled instead.
 */
export async function adoptedGuardExit(
  state: RunState,
  paths: Pick<WorkspacePaths, 'exitCode'>,
): Promise<string> {
  while (isGuardAlive(state)) {
    await sleep(ADOPTED_POLL_MS, undefined, { ref: false });
  }
  const code = await readFile(paths.exitCode, 'utf8').catch(() => '');
  return code === ''
    ? 'The editor was killed'
    : describeExit(Number(code), null);
}

/**
 * The portal's heartbeat: a file whose content changes with each beat. The guards of the editors
 * compare contents instead of times, so that a suspended machine or a clock change ends nothing.
 */
export class Lease {
  readonly #file: string;
  readonly #timer: NodeJS.Timeout;
  #beats = 0;

  /** Beats immediately and then every `intervalMs`, until {@link stop}. */
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
      // A full disk must not crash the portal; the guards allow several missed beats.
    }
  }
}

/** Ends what is left of an earlier run of a workspace: its recorded guard and all processes with its mark. */
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
  const state = await readRunState(paths.runState);
  if (state) {
    await endGuard(state, options.limits.stopTimeoutMs);
  }
  await sweepProcesses(installation.installation, owner => owner === id);
  for (const place of [paths.runState, paths.run, paths.tmp]) {
    await rm(place, { recursive: true, force: true, maxRetries: 3 });
  }
}
