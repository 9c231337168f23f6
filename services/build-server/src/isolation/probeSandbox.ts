import { spawn } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { foldersIn } from '../execution/buildFolder.ts';
import type { Isolation } from './Isolation.ts';

/** Not the id of any build: these begin with 1. */
const PROBE_ID = 0;
const TIMEOUT_MS = 30_000;
const MAX_OUTPUT = 4_000;

/**
 * Attacks the server from inside, as a step could, and prints what succeeded. Arguments:
 * a file of the server, the process namespace of the server, and its network namespace if builds
 * have their own.
 */
const ATTACKS = `
fault() { echo "FAULT $1"; }
[ "$(id -u)" != 0 ] || fault 'steps run as root'
touch probe || fault 'it cannot write its work directory'
if cat "$1" >/dev/null 2>&1; then fault 'it reads the folder of the server'; fi
[ "$(readlink /proc/self/ns/pid)" != "$2" ] || fault 'it sees the processes of the server'
[ "$(ls /proc | grep -c '^[0-9]')" -lt 12 ] || fault 'it sees other processes'
if (: >> /proc/sys/kernel/core_pattern) 2>/dev/null; then fault 'it may change the kernel'; fi
if unshare -U true 2>/dev/null; then fault 'it may make user namespaces'; fi
if [ -n "$3" ]; then
  [ "$(readlink /proc/self/ns/net)" != "$3" ] || fault 'it shares the network of the machine'
  grep -q tap0 /proc/net/dev || fault 'its network leads nowhere'
fi
kill -9 $PPID 2>/dev/null
env -i setsid sleep 300 &
(setsid sh -c 'sleep 300 & sleep 300' &)
echo DONE
`;

/**
 * Runs a program in the sandbox, as steps are run, and lets it try forbidden operations.
 *
 * @param directory - contains the folders of builds.
 * @returns null if the sandbox is secure, otherwise why not, as the end of a sentence.
 */
export async function probeSandbox(
  sandbox: Isolation,
  options: { directory: string; serverNamespace: string },
): Promise<string | null> {
  await mkdir(options.directory, { recursive: true, mode: 0o700 });
  const directory = await mkdtemp(path.join(options.directory, 'probe-'));
  const secret = path.join(directory, 'secret');
  const build = { buildId: PROBE_ID, directory: path.join(directory, 'build') };
  const { work } = foldersIn(build.directory);
  try {
    // Readable by all: only the sandbox prevents access.
    await writeFile(secret, 'secret', { mode: 0o644 });
    await sandbox.prepare(build);
    const hasNetwork = await sandbox.connect(build);
    const output = await run(
      sandbox.command(build, [
        ...['/bin/sh', '-c', ATTACKS, 'probe'],
        ...[secret, options.serverNamespace],
        hasNetwork ? readlinkSync('/proc/self/ns/net') : '',
      ])!,
      work,
    );
    if (!/^DONE$/m.test(output)) {
      return output.trim().split('\n').at(-1) || 'its program did not run';
    }
    const faults = [...output.matchAll(/^FAULT (.*)$/gm)].map(([, it]) => it);
    // Root in a namespace may be root outside, which only file ownership shows.
    const { uid } = await stat(path.join(work, 'probe'));
    if (uid === 0) {
      faults.push('its user is root outside');
    }
    return faults.length > 0 ? faults.join(', ') : null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await sandbox.release(build);
    await rm(directory, { recursive: true, force: true });
  }
}

/** Runs a program. @returns its output, which is complete once all started processes have ended. */
function run([program, ...args]: string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const collect = (chunk: Buffer) => {
      output = (output + chunk).slice(-MAX_OUTPUT);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const timer = setTimeout(() => {
      output += '\nFAULT what it starts does not end with it\n';
      process.kill(-child.pid!, 'SIGKILL');
      child.stdout.destroy();
      child.stderr.destroy();
    }, TIMEOUT_MS);
    child.once('error', error => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('close', () => {
      clearTimeout(timer);
      resolve(output);
    });
  });
}
