import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** A process that carries the mark of a workspace. */
export interface MarkedProcess {
  pid: number;
  workspaceId: string;
  /** Program and arguments. */
  command: string[];
}

/**
 * Every process of this machine that carries the mark of a workspace of the
 * platform with that data directory. Linux only: read from /proc.
 */
export function findWorkspaceProcesses(dataDirectory: string): MarkedProcess[] {
  const installation = createHash('sha256')
    .update(dataDirectory)
    .digest('hex')
    .slice(0, 16);
  const mark = new RegExp(
    `(?:^|\\0)SLIPWAY_WORKSPACE_MARK=${installation}:([^;\\0]+);`,
  );
  return readdirSync('/proc')
    .filter(entry => /^\d+$/.test(entry))
    .flatMap(pid => {
      const workspaceId = mark.exec(read(`/proc/${pid}/environ`))?.[1];
      return workspaceId
        ? [
            {
              pid: Number(pid),
              workspaceId,
              command: read(`/proc/${pid}/cmdline`).split('\0').slice(0, -1),
            },
          ]
        : [];
    });
}

/** The editor's first process: not the guard before it, nor what it started. */
export function findEditorProcess(options: {
  dataDirectory: string;
  workspaceId: string;
}): MarkedProcess | undefined {
  return findWorkspaceProcesses(options.dataDirectory)
    .filter(
      ({ workspaceId, command }) =>
        workspaceId === options.workspaceId &&
        !command[0]?.endsWith('/sh') &&
        command.includes('--socket'),
    )
    .sort((one, other) => one.pid - other.pid)[0];
}

/** Processes end while they are read; an ended one reads as empty. */
function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
