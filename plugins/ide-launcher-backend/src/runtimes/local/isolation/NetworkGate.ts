import { ChildProcess, spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { BLOCK_FD, INFO_FD } from './gate';

const MTU = 65_520;
const READY_FD = 3;
const ATTACH_TIMEOUT_MS = 20_000;

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

function withTimeout<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error('the network was not there in time')),
      ATTACH_TIMEOUT_MS,
    );
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
