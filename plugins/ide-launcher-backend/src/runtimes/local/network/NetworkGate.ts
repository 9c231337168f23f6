import { ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { BlockList, isIPv4 } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  connectNetwork,
  isRoot,
  ownAddresses,
  SLIRP_GATEWAY,
} from '@slipway/processes';

/**
 * Networks that workspaces must not reach: private, carrier-grade NAT, test and multicast
 * networks, and metadata services of clouds (169.254.169.254, and 168.63.129.16 of Azure).
 */
const NEVER_PUBLIC = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** A sample address of each network, used to check that it is blocked. */
const SAMPLES: Readonly<Record<string, string>> = {
  '10.0.0.0/8': '10.0.0.1',
  '168.63.129.16/32': '168.63.129.16',
  '169.254.0.0/16': '169.254.169.254',
  '172.16.0.0/12': '172.16.0.1',
  '192.168.0.0/16': '192.168.0.1',
};

/**
 * Returns the networks that are blocked for a sandbox with its own network.
 *
 * @param allowed - networks in CIDR form allowed by the operator; they include an address of
 * this machine only if they name exactly that address.
 */
export function closedNetworks(
  allowed: readonly string[],
  own: readonly string[] = ownAddresses(),
): string[] {
  return [...NEVER_PUBLIC, ...own.map(address => `${address}/32`)].filter(
    network => {
      const mustBeNamed = own.includes(network.replace(/\/32$/, ''));
      return mustBeNamed
        ? !allowed.includes(network)
        : !allowed.some(each => contains(each, network));
    },
  );
}

/** Returns sample addresses of blocked networks to try from inside. */
export function samplesOf(closed: readonly string[]): string[] {
  return closed.flatMap(network => SAMPLES[network] ?? []);
}

/**
 * Formats an IPv4 address or network in CIDR form.
 *
 * @returns undefined if the text is neither.
 */
export function toNetwork(text: string): string | undefined {
  const [address, prefix = '32', ...rest] = text.split('/');
  const isNetwork =
    isIPv4(address) &&
    /^\d{1,2}$/.test(prefix) &&
    Number(prefix) <= 32 &&
    rest.length === 0;
  return isNetwork ? `${address}/${prefix}` : undefined;
}

function contains(outer: string, inner: string): boolean {
  const [outerAddress, outerPrefix] = outer.split('/');
  const [innerAddress, innerPrefix] = inner.split('/');
  const list = new BlockList();
  list.addSubnet(outerAddress, Number(outerPrefix));
  return Number(outerPrefix) <= Number(innerPrefix) && list.check(innerAddress);
}

/** File descriptors of bubblewrap's messages, see `NetworkGate`. */
export const INFO_FD = 3;
export const BLOCK_FD = 4;

const ATTACH_TIMEOUT_MS = 20_000;
const LOOPBACK_POLL_MS = 5;

/** The additional stdio of a process with its own network: bubblewrap's pipes, after the usual three. */
export const GATE_STDIO = ['pipe', 'pipe'] as const;

/** The programs that provide networks for sandboxes. */
export interface NetworkTools {
  /** Absolute paths of the programs. */
  slirp: string;
  nsenter: string;
  ip: string;
  /** Networks in CIDR form that are allowed although they are private. */
  allowed: readonly string[];
}

/**
 * Connects the network of a sandbox to the outside, then lets its program start. This machine,
 * private networks and metadata services are unreachable: the routes are set before the program runs,
 * and it has no permission to change them. The helper process gets the given environment, with the mark
 * by which it is found when the workspace is stopped.
 *
 * @param child - a process that was spawned with {@link GATE_STDIO} at the end of its stdio and
 * runs bubblewrap.
 * @returns a function that ends the helper.
 * @throws Error if no network could be attached; the program then never runs.
 */
export async function openNetwork(
  child: ChildProcess,
  options: { tools: NetworkTools; env: Record<string, string> },
): Promise<() => void> {
  const info = child.stdio[INFO_FD] as Readable;
  const gate = child.stdio[BLOCK_FD] as Writable;
  gate.on('error', () => undefined);
  const pid = await withTimeout(readChildPid(info));
  await loopbackIsUp(pid);
  const helper = await connectNetwork({
    program: options.tools.slirp,
    pid,
    environment: options.env,
  });
  try {
    await withTimeout(closeRoutes(pid, options.tools));
  } catch (error) {
    helper.kill('SIGKILL');
    throw error;
  }
  gate.end('go\n');
  info.destroy();
  return () => helper.kill('SIGKILL');
}

/** Sets the sandbox's routes to closed and allowed networks. @throws Error if one could not be set. */
async function closeRoutes(pid: number, tools: NetworkTools): Promise<void> {
  const routes = [
    ...closedNetworks(tools.allowed).map(each => `unreachable ${each}`),
    ...tools.allowed.map(each => `${each} via ${SLIRP_GATEWAY}`),
  ];
  // Without root privileges, also enter the sandbox's user namespace, which belongs to the portal's user.
  const user = isRoot() ? [] : ['--user', '--preserve-credentials'];
  const child = spawn(
    tools.nsenter,
    [...user, '--net', `--target=${pid}`, '--', tools.ip, '-batch', '-'],
    { env: {}, stdio: ['pipe', 'ignore', 'ignore'] },
  );
  child.stdin.on('error', () => undefined);
  child.stdin.end(routes.map(each => `route replace ${each}\n`).join(''));
  await new Promise<void>((resolve, reject) => {
    const refuse = () =>
      reject(new Error('private networks could not be blocked'));
    child.once('error', refuse);
    child.once('close', code => (code === 0 ? resolve() : refuse()));
  });
}

/**
 * Reads the pid of the sandbox's first process from bubblewrap's JSON object, which does not end in a
 * newline.
 */
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
    info.on('end', () => reject(new Error('the sandbox could not be created')));
  });
}

/**
 * Waits until bubblewrap has assigned the loopback address. Otherwise, the helper might bring the
 * loopback interface up first; the kernel may then assign the address, and bubblewrap fails if it
 * already exists ("loopback: Failed RTM_NEWADDR").
 */
async function loopbackIsUp(pid: number): Promise<void> {
  const end = Date.now() + ATTACH_TIMEOUT_MS;
  while (Date.now() < end) {
    const routes = await readFile(`/proc/${pid}/net/fib_trie`, 'utf8').catch(
      () => {
        throw new Error('the sandbox could not be created');
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
      () => reject(new Error('the network was not ready in time')),
      ATTACH_TIMEOUT_MS,
    );
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
