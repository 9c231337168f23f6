import { readFile, readdir, readlink } from 'node:fs/promises';
import { PortTarget } from '../../WorkspaceRuntime';
import { findWorkspaceProcesses } from '../process/processTable';

const LISTEN = '0A';

/** One row of `/proc/net/tcp` or `tcp6` in state LISTEN. */
interface ListeningSocket {
  /** Address in the kernel's hexadecimal format. */
  address: string;
  port: number;
  inode: string;
}

/** Local addresses at which an editor's programs can be reached, in the kernel's format. */
const REACHABLE: Record<string, string> = {
  '0100007F': '127.0.0.1',
  '00000000': '127.0.0.1',
  '00000000000000000000000001000000': '::1',
  '00000000000000000000000000000000': '::1',
  '0000000000000000FFFF00000100007F': '127.0.0.1',
};

/** Finds ports of workspaces in the network of this machine. */
export class WorkspacePorts {
  readonly #installation: string;
  readonly #findProcesses: typeof findWorkspaceProcesses;
  /** The read of the socket tables in progress. */
  #tables: Promise<ListeningSocket[]> | undefined;
  /**
   * Searches in progress, by workspace. Shared, because each looks at all processes: a page may
   * request hundreds of files at once, and a devfile may declare hundreds of ports.
   */
  readonly #searches = new Map<string, Promise<Set<string>>>();

  constructor(installation: string, findProcesses = findWorkspaceProcesses) {
    this.#installation = installation;
    this.#findProcesses = findProcesses;
  }

  /**
   * Finds the address of a port of a workspace. Null unless a process of that workspace owns the
   * listening socket and no other socket could receive the connection instead: another workspace,
   * or the portal itself, may listen on that port.
   */
  async find(workspaceId: string, port: number): Promise<PortTarget | null> {
    this.#tables ??= readListeningSockets().finally(() => {
      this.#tables = undefined;
    });
    const sockets = (await this.#tables).filter(
      socket => socket.port === port && REACHABLE[socket.address],
    );
    if (sockets.length === 0) {
      return null;
    }
    const own = await this.#socketsOf(workspaceId);
    const ours = sockets.filter(({ inode }) => own.has(inode));
    const hosts = new Set(
      sockets.filter(({ inode }) => !own.has(inode)).map(hostOf),
    );
    const usable = ours.find(socket => !hosts.has(hostOf(socket)));
    return usable ? { host: hostOf(usable), port } : null;
  }

  /** Returns the inodes of the sockets held by the processes of a workspace. */
  #socketsOf(workspaceId: string): Promise<Set<string>> {
    const search =
      this.#searches.get(workspaceId) ??
      this.#search(workspaceId).finally(() =>
        this.#searches.delete(workspaceId),
      );
    this.#searches.set(workspaceId, search);
    return search;
  }

  async #search(workspaceId: string): Promise<Set<string>> {
    const processes = await this.#findProcesses(this.#installation);
    const links = await Promise.all(
      processes
        .filter(found => found.workspaceId === workspaceId)
        .map(({ pid }) => openFiles(pid)),
    );
    return new Set(
      links
        .flat()
        .map(link => /^socket:\[(\d+)\]$/.exec(link)?.[1])
        .filter(inode => inode !== undefined),
    );
  }
}

function hostOf({ address }: ListeningSocket): string {
  return REACHABLE[address];
}

async function readListeningSockets(): Promise<ListeningSocket[]> {
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map(file =>
      readFile(file, 'latin1').catch(() => ''),
    ),
  );
  return tables.flatMap(parseSocketTable);
}

/** Parses a socket table in the format of proc(5); only listening sockets are returned. */
export function parseSocketTable(table: string): ListeningSocket[] {
  return table
    .split('\n')
    .slice(1)
    .map(line => line.trim().split(/\s+/))
    .filter(fields => fields[3] === LISTEN)
    .map(fields => {
      const [address, port] = fields[1].split(':');
      return { address, port: parseInt(port, 16), inode: fields[9] };
    });
}

async function openFiles(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  return Promise.all(
    names.map(name => readlink(`${folder}/${name}`).catch(() => '')),
  );
}
