import {
  type ChildProcess,
  type ChildProcessByStdio,
  spawn,
} from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import {
  connectNetwork,
  findProgram,
  isRoot,
  ownAddresses,
  SLIRP_NAMESERVER,
} from '@slipway/processes';

/** The link-local addresses: clouds give every machine its credentials at one of them. */
const LINK_LOCAL = '169.254.0.0/16';
const RESOLV_CONF = '/etc/resolv.conf';
const TIMEOUT_MS = 20_000;

/** The programs that provide networks; absolute paths. */
export interface NetworkPrograms {
  slirp: string;
  unshare: string;
  nsenter: string;
  ip: string;
}

/**
 * Finds the programs that provide networks.
 *
 * @returns the programs, or the names of those that are missing.
 */
export function findNetworkPrograms(): NetworkPrograms | string[] {
  const names = ['slirp4netns', 'unshare', 'nsenter', 'ip'];
  const found = names.map(name => findProgram(name, ''));
  const [slirp, unshare, nsenter, ip] = found;
  return slirp && unshare && nsenter && ip
    ? { slirp, unshare, nsenter, ip }
    : names.filter((_, index) => !found[index]);
}

interface BuildNetwork {
  /** Keeps the namespace and its routes until its standard input ends, as it does with this process. */
  holder: Holder;
  /** Forwards traffic between the namespace and the outside. */
  helper: ChildProcess;
}

/** Programs run as `ip -batch -`: it reads commands, and ends when one fails. */
type Holder = ChildProcessByStdio<Writable, Readable, null>;

/**
 * Gives builds their own networks. All programs of a build share its loopback, and reach other
 * machines through slirp4netns. They do not reach this machine, nor its metadata in a cloud,
 * unless the operator allows it. A network ends with this process, even if it is killed.
 */
export class BuildNetworks {
  readonly #programs: NetworkPrograms;
  readonly #reachesMachine: boolean;
  readonly #opening = new Map<number, Promise<BuildNetwork>>();
  readonly #open = new Map<number, BuildNetwork>();

  constructor(
    programs: NetworkPrograms,
    { reachesMachine }: { reachesMachine: boolean },
  ) {
    this.#programs = programs;
    this.#reachesMachine = reachesMachine;
  }

  /**
   * Creates the network of a build, unless there is one.
   *
   * @throws Error if it could not be created.
   */
  async open(buildId: number): Promise<void> {
    const opening = this.#opening.get(buildId) ?? this.#create();
    this.#opening.set(buildId, opening);
    this.#open.set(buildId, await opening);
  }

  /** Returns the content of `/etc/resolv.conf` for these networks. */
  async resolver(): Promise<string> {
    const text = await readFile(RESOLV_CONF, 'utf8').catch(() => '');
    const others = text
      .split('\n')
      .filter(line => /^(?:search|options|domain)\s/.test(line));
    return [`nameserver ${SLIRP_NAMESERVER}`, ...others, ''].join('\n');
  }

  /** Checks whether a build has its own network. */
  has(buildId: number): boolean {
    return this.#open.has(buildId);
  }

  /**
   * Returns the command that runs a program in the network of a build.
   *
   * @throws Error if the network has ended.
   */
  within(buildId: number, argv: readonly string[]): string[] {
    const { holder } = this.#open.get(buildId) ?? {};
    // By then, another process with another network could have its id.
    if (!holder || holder.exitCode !== null || holder.signalCode !== null) {
      throw new Error('The network of a build has ended');
    }
    return [
      this.#programs.nsenter,
      // Without root, the namespace belongs to a user namespace of this process.
      ...(isRoot() ? [] : ['--user', '--preserve-credentials']),
      ...['--net', `--target=${holder.pid}`, '--', ...argv],
    ];
  }

  /** Ends the network of a build, if there is one. */
  async close(buildId: number): Promise<void> {
    const opening = this.#opening.get(buildId);
    this.#opening.delete(buildId);
    const network = await opening?.catch(() => undefined);
    this.#open.delete(buildId);
    network?.helper.kill('SIGKILL');
    network?.holder.kill('SIGKILL');
  }

  async #create(): Promise<BuildNetwork> {
    const { unshare, ip, slirp } = this.#programs;
    const user = isRoot()
      ? []
      : ['--user', '--map-current-user', '--keep-caps'];
    const holder = spawn(
      unshare,
      [...user, '--net', '--', ip, '-batch', '-'],
      // In its own session, so that an interrupt from a terminal reaches only the server.
      { env: {}, detached: true, stdio: ['pipe', 'pipe', 'ignore'] },
    );
    let helper: ChildProcess | undefined;
    try {
      await configure(holder, 'link set lo up');
      helper = await connectNetwork({
        program: slirp,
        pid: holder.pid!,
        endsWithParent: true,
        reachesMachine: this.#reachesMachine,
      });
      const closed = this.#reachesMachine
        ? []
        : [LINK_LOCAL, ...ownAddresses()];
      await configure(
        holder,
        ...closed.map(network => `route replace unreachable ${network}`),
      );
    } catch (error) {
      helper?.kill('SIGKILL');
      holder.kill('SIGKILL');
      throw error;
    }
    holder.unref();
    // These are sockets, whatever their types say.
    (holder.stdin as Socket).unref();
    (holder.stdout as Socket).unref();
    return { holder, helper };
  }
}

/**
 * Runs commands of `ip` in a namespace.
 *
 * @throws Error if one of them fails; the holder has ended by then.
 */
async function configure(
  holder: Holder,
  ...commands: readonly string[]
): Promise<void> {
  const { stdin, stdout } = holder;
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const refuse = () => reject(new Error('its network could not be set up'));
      timer = setTimeout(refuse, TIMEOUT_MS);
      holder.once('error', refuse).once('exit', refuse);
      stdin.on('error', refuse);
      // The last command prints its output once those before it have succeeded.
      stdout.once('data', () => resolve());
      stdin.write([...commands, 'link show lo', ''].join('\n'));
    });
  } finally {
    clearTimeout(timer);
  }
}
