import { readFile, readdir, readlink } from 'node:fs/promises';
import { PortTarget } from '../../WorkspaceRuntime';
import { findWorkspaceProcesses } from '../process/processTable';
import { AgentClient } from '../sandbox/AgentClient';

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

/**
 * Finds the address of a port of a workspace. Null unless a process of that workspace owns the
 * listening socket and no other socket could receive the connection instead: another workspace,
 * or the portal itself, may listen on that port.
 */
export async function findWorkspacePort(options: {
  installation: string;
  workspaceId: string;
  port: number;
}): Promise<PortTarget | null> {
  const sockets = (await readListeningSockets()).filter(
    socket => socket.port === options.port && REACHABLE[socket.address],
  );
  if (sockets.length === 0) {
    return null;
  }
  const own = await socketsOfWorkspace(options);
  const ours = sockets.filter(({ inode }) => own.has(inode));
  const hosts = new Set(
    sockets.filter(({ inode }) => !own.has(inode)).map(hostOf),
  );
  const usable = ours.find(socket => !hosts.has(hostOf(socket)));
  return usable ? { host: hostOf(usable), port: options.port } : null;
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

/** Returns the inodes of the sockets held by the processes of a workspace. */
async function socketsOfWorkspace(options: {
  installation: string;
  workspaceId: string;
}): Promise<Set<string>> {
  const processes = await findWorkspaceProcesses(options.installation);
  const links = await Promise.all(
    processes
      .filter(({ workspaceId }) => workspaceId === options.workspaceId)
      .map(({ pid }) => openFiles(pid)),
  );
  return new Set(
    links
      .flat()
      .map(link => /^socket:\[(\d+)\]$/.exec(link)?.[1])
      .filter(inode => inode !== undefined),
  );
}

async function openFiles(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  return Promise.all(
    names.map(name => readlink(`${folder}/${name}`).catch(() => '')),
  );
}

/**
 * Finds a port in a sandbox's own network, where only the workspace itself can listen.
 *
 * @returns null if nothing is listening there.
 */
export async function sandboxPort(
  agent: AgentClient,
  port: number,
): Promise<PortTarget | null> {
  return (await agent.listens(port))
    ? {
        host: '127.0.0.1',
        port,
        async connect() {
          const socket = await agent.openPort(port);
          if (!socket) {
            throw new Error('Nothing is listening there any more');
          }
          return socket;
        },
      }
    : null;
}
