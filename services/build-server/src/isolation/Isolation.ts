import { mkdir } from 'node:fs/promises';
import path from 'node:path';

/** The folders of one build, as its programs see them or as the server does. */
export interface BuildFolders {
  /** The checkout; where steps start. */
  work: string;
  home: string;
  tmp: string;
}

/** One build on disk. */
export interface BuildDirectory {
  buildId: number;
  /** Absolute. */
  directory: string;
}

/** What keeps the programs of builds apart from the server, for the API and the pages. */
export interface IsolationStatus {
  /** `elsewhere`: this process answers only, and other processes run the builds. */
  kind: 'bubblewrap' | 'none' | 'elsewhere';
  /** What is not kept apart, and why; sentences for people. */
  gaps: string[];
}

/** How the programs of builds are kept apart from the server. */
export interface Isolation {
  readonly status: IsolationStatus;
  /** Makes the folders of a build, for its own user to write. */
  prepare(build: BuildDirectory): Promise<void>;
  /** The folders of a build as its programs see them. */
  folders(build: BuildDirectory): BuildFolders;
  /** The command that runs a program of a build, in the folder {@link BuildFolders.work}. */
  command(build: BuildDirectory, argv: readonly string[]): string[];
}

/** The folders of a build as the server sees them. */
export function foldersIn(directory: string): BuildFolders {
  return {
    work: path.join(directory, 'work'),
    home: path.join(directory, 'home'),
    tmp: path.join(directory, 'tmp'),
  };
}

/** Makes the folders of a build for the user of the server alone. */
export async function makeFolders(directory: string): Promise<void> {
  for (const folder of Object.values(foldersIn(directory))) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  }
}

/**
 * Runs builds as plain processes, with the rights of the server.
 *
 * @param reason - why; a sentence for people.
 */
export function withoutIsolation(reason: string): Isolation {
  return {
    status: {
      kind: 'none',
      gaps: [
        reason,
        'Steps run as the user of the build server: they can read its files and its memory, with every token in them, and end it.',
      ],
    },
    prepare: ({ directory }) => makeFolders(directory),
    folders: ({ directory }) => foldersIn(directory),
    command: (_build, argv) => [...argv],
  };
}
