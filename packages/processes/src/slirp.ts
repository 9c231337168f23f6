import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Readable } from 'node:stream';
import { isRoot } from './sandbox.ts';

/** Address at which slirp4netns forwards DNS queries to this machine's resolver. */
export const SLIRP_NAMESERVER = '10.0.2.3';

/** Gateway address of a network with slirp4netns; this machine, if its loopback is reachable. */
export const SLIRP_GATEWAY = '10.0.2.2';

const MTU = 65_520;
const READY_FD = 3;
const TIMEOUT_MS = 20_000;

/**
 * Returns the IPv4 addresses of this machine that others can reach; networks with slirp4netns have
 * no IPv6.
 */
export function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap(addresses => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
}

/**
 * Connects the network namespace of a process to the outside with slirp4netns, which parses the
 * namespace's traffic without privileges of its own.
 *
 * @param options.program - absolute path of slirp4netns.
 * @param options.pid - a process in the namespace.
 * @param options.environment - environment variables of slirp4netns.
 * @param options.endsWithParent - true if slirp4netns ends with this process.
 * @param options.reachesMachine - true if the loopback of this machine is reachable at
 * {@link SLIRP_GATEWAY}.
 * @returns the process of slirp4netns, which does not keep this process alive.
 * @throws Error if the network could not be connected within 20 seconds.
 */
export async function connectNetwork(options: {
  program: string;
  pid: number;
  environment?: Record<string, string>;
  endsWithParent?: boolean;
  reachesMachine?: boolean;
}): Promise<ChildProcess> {
  const { endsWithParent = false, reachesMachine = false } = options;
  const helper = spawn(
    options.program,
    [
      ...['--configure', `--mtu=${MTU}`, `--ready-fd=${READY_FD}`],
      ...['--enable-seccomp'],
      // Without root, it has no privileges to drop.
      ...(isRoot() ? ['--enable-sandbox'] : []),
      ...(reachesMachine ? [] : ['--disable-host-loopback']),
      ...(endsWithParent ? [`--exit-fd=${READY_FD + 1}`] : []),
      ...[String(options.pid), 'tap0'],
    ],
    {
      env: options.environment ?? {},
      detached: true,
      stdio: [
        ...(['ignore', 'ignore', 'ignore', 'pipe'] as const),
        ...(endsWithParent ? (['pipe'] as const) : []),
      ],
    },
  );
  const ready = helper.stdio[READY_FD] as Readable;
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const refuse = () => reject(new Error('slirp4netns could not run'));
      timer = setTimeout(refuse, TIMEOUT_MS);
      helper.once('error', refuse).once('exit', refuse);
      ready.once('data', () => resolve());
    });
  } catch (error) {
    helper.kill('SIGKILL');
    throw error;
  } finally {
    clearTimeout(timer);
    ready.destroy();
  }
  helper.unref();
  (helper.stdio[READY_FD + 1] as Socket | undefined)?.unref();
  return helper;
}
