import {
  type BuildFolders,
  foldersIn,
  makeFolders,
} from '../execution/buildFolder.ts';
import type { ExecutorStatus } from '../execution/Executor.ts';
import type { JobLimits } from '../jobs/JobParts.ts';
import { describeExcess } from './excess.ts';
import type { ResourceLimits } from './limits.ts';

/** One build on disk. */
export interface BuildDirectory {
  buildId: number;
  /** Absolute. */
  directory: string;
  /** Limits of its job, which replace the general ones. */
  limits?: JobLimits;
}

/** Isolates the programs of builds from the server. */
export interface Isolation {
  readonly status: ExecutorStatus;
  /** True if no process of a build outlives the program that started it. */
  readonly endsProcesses: boolean;
  /** Creates the folders of a build, writable by its own user. */
  prepare(build: BuildDirectory): Promise<void>;
  /**
   * Gives a build its own network, where those of its programs that start later reach each other.
   *
   * @returns false if all builds share the network of the machine.
   * @throws Error if the network could not be created.
   */
  connect(build: BuildDirectory): Promise<boolean>;
  /** Returns the folders of a build as its programs see them. */
  folders(build: BuildDirectory): BuildFolders;
  /**
   * Returns the command that runs a program of a build, in the folder {@link
   * BuildFolders.work}.
   *
   * @param options.isOffline - whether to run the program without network access.
   * @returns null if a program cannot be kept off the network.
   */
  command(
    build: BuildDirectory,
    argv: readonly string[],
    options?: { isOffline?: boolean },
  ): string[] | null;
  /**
   * Returns a text that identifies the files of the machine that a program would see if it started
   * now. It changes when one of them is replaced.
   */
  view(): string;
  /**
   * Returns the limit for which a program of a build was killed, as the end of a sentence;
   * undefined if none was.
   */
  explain(build: BuildDirectory): Promise<string | undefined>;
  /**
   * Returns which limit a build exceeds or keeps running into; the end of a sentence. To be called
   * every second while programs of the build run.
   *
   * @param sessions - process ids of these programs.
   */
  excess(
    build: BuildDirectory,
    sessions: ReadonlySet<number>,
  ): Promise<string | undefined>;
  /**
   * Releases what {@link prepare} allocated, except the folders. Resolves once the
   * processes of the build are gone, if {@link endsProcesses}.
   */
  release(build: BuildDirectory): Promise<void>;
}

/** The gap where builds have no network of their own. */
export const SHARED_PORTS =
  'Builds with services run one at a time, as they share the ports of the machine with its other programs.';

/**
 * Runs builds as plain processes, with the rights of the server.
 *
 * @param reason - why; a sentence for people.
 * @param general - limits of builds, checked every second; none by default.
 */
export function withoutIsolation(
  reason: string,
  general?: ResourceLimits,
): Isolation {
  return {
    status: {
      kind: 'none',
      limits: null,
      gaps: [
        reason,
        'Steps run as the user of the build server: they can read its files and its memory, with every token in them, and end it.',
        SHARED_PORTS,
      ],
    },
    endsProcesses: false,
    prepare: ({ directory }) => makeFolders(directory),
    connect: async () => false,
    folders: ({ directory }) => foldersIn(directory),
    command: (_build, argv, { isOffline } = {}) =>
      isOffline ? null : [...argv],
    view: () => '',
    explain: async () => undefined,
    excess: async ({ limits }, sessions) =>
      general && describeExcess(sessions, { ...general, ...limits }),
    release: async () => {},
  };
}
