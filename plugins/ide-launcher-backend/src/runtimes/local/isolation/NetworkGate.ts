import { ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { BLOCK_FD, INFO_FD } from './gate';

const MTU = 65_520;
const READY_FD = 3;
const ATTACH_TIMEOUT_MS = 20_000;
const LOOPBACK_POLL_MS = 5;

/** How a process is spawned whose sandbox has a network of its own: bubblewrap's messages follow the usual three. */
export const GATE_STDIO = ['pipe', 'pipe'] as const;

/**
 * Gives the network of a sandbox a way out, and lets its program go on then.
 * Addresses of the loopback of this machine, where the platform's own ports
 * are, lead nowhere. The helper carries the environment it is given, by which
 * a stop finds it.
 *
 * @param child - a process that was spawned with {@link GATE_STDIO} at the end of its stdio and runs bubblewrap.
 * @returns ends the helper.
 * @throws Error when no network could be attached; the program never runs then.
 */
export async function openNetwork(
  child: ChildProcess,
  options: { slirp: string; env: Record<string, string> },
): Promise<() => void> {
  const info = child.stdio[INFO_FD] as Readable;
  const gate = child.stdio[BLOCK_FD] as Writable;
  gate.on('error', () => undefined);
  const pid = await withTimeout(readChildPid(info));
  await loopbackIsUp(pid);
  const helper = spawn(
    options.slirp,
    [
      ...['--configure', `--mtu=${MTU}`, '--disable-host-loopback'],
      ...[`--ready-fd=${READY_FD}`, String(pid), 'tap0'],
    ],
    {
      env: options.env,
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  );
  try {
    await withTimeout(
      new Promise<void>((resolve, reject) => {
        const refuse = () => reject(new Error('slirp4netns could not run'));
        helper.once('error', refuse).once('exit', refuse);
        (helper.stdio[READY_FD] as Readable).once('data', () => resolve());
      }),
    );
  } catch (error) {
    helper.kill('SIGKILL');
    throw error;
  }
  helper.unref();
  (helper.stdio[READY_FD] as Readable).destroy();
  gate.end('go\n');
  info.destroy();
  return () => helper.kill('SIGKILL');
}

/** bubblewrap tells the first process of the sandbox in a JSON object, which is not ended by a line. */
function readChildPid(info: Readable): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = '';
    info.setEncoding('utf8');
    info.on('data', chunk => {
      text += chunk;
      const pid = /"child-pid"\s*:\s*(\d+)/.exec(text)?.[1];
      if (pid && text.includes('}')) {
        resolve(Number(pid));
      }
    });
    info.on('error', reject);
    info.on('end', () => reject(new Error('the sandbox could not be made')));
  });
}

/**
 * Waits until bubblewrap has given the loopback its address. The helper raises the
 * loopback, upon which the kernel may add that address itself, and bubblewrap ends over
 * one that is there already ("loopback: Failed RTM_NEWADDR").
 */
async function loopbackIsUp(pid: number): Promise<void> {
  const end = Date.now() + ATTACH_TIMEOUT_MS;
  while (Date.now() < end) {
    const routes = await readFile(`/proc/${pid}/net/fib_trie`, 'utf8').catch(
      () => {
        throw new Error('the sandbox could not be made');
      },
    );
    if (routes.includes('127.0.0.1')) {
      return;
    }
    await sleep(LOOPBACK_POLL_MS);
  }
  throw new Error('the sandbox has no loopback');
}

function withTimeout<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error('the network was not there in time')),
      ATTACH_TIMEOUT_MS,
    );
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
