import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** A process that carries the marker of a workspace. */
export interface MarkedProcess {
  pid: number;
  workspaceId: string;
  /** Program and arguments. */
  command: string[];
}

/**
 * Finds all processes of this machine that carry the marker of a workspace of the platform with
 * that data directory. Linux only: reads /proc.
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

/** Finds the editor's first process: neither its guard nor its child processes. */
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

/** Reads a file of a process; empty if the process has exited in the meantime. */
function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
