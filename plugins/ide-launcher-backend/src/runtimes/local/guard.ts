import { ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { constants } from 'node:os';
import { GATE_STDIO } from './isolation/NetworkGate';
import { LeaseOptions } from './LocalRuntimeOptions';

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
export interface GuardedEditor {
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
export function describeExit(
  code: number | null,
  signal: NodeJS.Signals | null,
): string {
  if (signal) {
    return `The editor was killed (${signal})`;
  }
  if (code === LEASE_EXPIRED_EXIT_CODE) {
    return 'The editor was stopped because the portal was away for too long';
  }
  if (code !== null && code > 128) {
    return `The editor was killed (${signalName(code - 128)})`;
  }
  return code === 0 || code === null
    ? 'The editor ended by itself'
    : `The editor ended with exit code ${code}`;
}

function signalName(number: number): string {
  const found = Object.entries(constants.signals).find(
    ([, value]) => value === number,
  );
  return found?.[0] ?? `signal ${number}`;
}
