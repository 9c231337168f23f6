import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import type { PartDefinition } from './parts.ts';

/** proc(5): the state of a listening socket in /proc/net/tcp. */
const TCP_LISTEN = '0A';
const MAX_COMMAND_LENGTH = 80;

/** The process that listens on a port. */
interface PortHolder {
  pid: number;
  /** Its command line, truncated to a readable length. */
  command: string;
}

/**
 * Finds the process that listens on a TCP port; undefined if the system does not reveal it, as for
 * processes of another user.
 */
export function findPortHolder(port: number): PortHolder | undefined {
  return process.platform === 'linux'
    ? holderFromProc(port)
    : holderFromLsof(port);
}

/** Finds the process in /proc (Linux). */
function holderFromProc(port: number): PortHolder | undefined {
  const sockets = new Set(
    ['/proc/net/tcp', '/proc/net/tcp6'].flatMap(table =>
      listeningInodes(table, port).map(inode => `socket:[${inode}]`),
    ),
  );
  const pid = readdir('/proc')
    .filter(entry => /^\d+$/.test(entry))
    .find(entry =>
      readdir(`/proc/${entry}/fd`).some(fd =>
        sockets.has(readLink(`/proc/${entry}/fd/${fd}`)),
      ),
    );
  if (!pid) {
    return undefined;
  }
  const command = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
  return describe(Number(pid), command || read(`/proc/${pid}/comm`));
}

/**
 * Returns the inodes of sockets that listen on a port. Columns of /proc/net/tcp: 1 local address as
 * hex:hex, 3 state, 9 inode.
 */
function listeningInodes(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return read(table)
    .split('\n')
    .map(line => line.trim().split(/\s+/))
    .filter(
      columns => columns[1]?.endsWith(suffix) && columns[3] === TCP_LISTEN,
    )
    .map(columns => columns[9]);
}

/** Finds the process with lsof; undefined if lsof is not installed. */
function holderFromLsof(port: number): PortHolder | undefined {
  try {
    const output = execFileSync(
      'lsof',
      ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const pid = /^p(\d+)$/m.exec(output)?.[1];
    return pid
      ? describe(Number(pid), /^c(.+)$/m.exec(output)?.[1] ?? '')
      : undefined;
  } catch {
    return undefined;
  }
}

function describe(pid: number, command: string): PortHolder {
  const line = command.trim();
  return {
    pid,
    command:
      line.length > MAX_COMMAND_LENGTH
        ? `${line.slice(0, MAX_COMMAND_LENGTH - 1)}…`
        : line,
  };
}

// Processes may exit while /proc is read; their files then read as empty.
function readdir(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function readLink(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}

const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1'];

/**
 * Describes every port that is in use: which it is, which part needs it and which process has it.
 */
export async function findTakenPorts(
  parts: readonly Pick<PartDefinition, 'name' | 'ports'>[],
): Promise<string[]> {
  const wanted = parts.flatMap(({ name, ports }) =>
    ports.map(port => ({ name, port })),
  );
  const messages = await Promise.all(
    wanted.map(async ({ name, port }) =>
      (await isFree(port)) ? undefined : describeTaken(name, port),
    ),
  );
  return messages.filter(message => message !== undefined);
}

function describeTaken(part: string, port: number): string {
  const holder = findPortHolder(port);
  const who = holder
    ? `process ${holder.pid} (${holder.command})`
    : 'a process that this user cannot see';
  return `port ${port}, which ${part} needs, is taken by ${who}`;
}

/** Checks whether all of these TCP ports are free, on each loopback address. */
export async function areFree(ports: readonly number[]): Promise<boolean> {
  return (await Promise.all(ports.map(isFree))).every(Boolean);
}

async function isFree(port: number): Promise<boolean> {
  const answers = await Promise.all(
    LOOPBACK_ADDRESSES.map(host => canListen(host, port)),
  );
  return answers.every(Boolean);
}

/** Checks whether an address is free. A machine may have no IPv6 at all, which counts as free. */
function canListen(host: string, port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
      .once('error', (error: NodeJS.ErrnoException) =>
        resolve(error.code !== 'EADDRINUSE'),
      )
      .listen({ host, port, exclusive: true }, () =>
        server.close(() => resolve(true)),
      );
  });
}
