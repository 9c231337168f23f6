import type { FileHandle } from 'node:fs/promises';
import type { JobLimits } from '../jobs/JobParts.ts';
import type { Command } from './commands.ts';

/** A build that is about to run. */
export interface PlaceRequest {
  id: number;
  /** Identifies the process that owns the build. */
  worker: string;
  /** The number of this attempt of the build, used for fencing. */
  attempt: number;
  /** Variables of every command of the build. */
  environment: Readonly<Record<string, string>>;
  /** The image of the steps, for executors that run images. */
  image?: string;
  /** Limits of its job, which replace those of the executor. */
  limits?: JobLimits;
  /** True to keep the files of the earlier attempt. */
  resumes?: boolean;
}

/**
 * Thrown if the place of a build is gone, such as the pod of an evicted build; the message
 * is the end of a sentence.
 */
export class PlaceLostError extends Error {
  override readonly name = 'PlaceLostError';
}

/** The folders and the processes of one build. */
export interface Place {
  /**
   * Aborts with an {@link Interruption} when the build exceeds a limit; undefined if only single
   * commands have limits.
   */
  readonly exceeded?: AbortSignal;
  /**
   * Lets the services and steps that start from now on reach each other on localhost, separate from
   * the services of other builds. Omitted by places where this is always the case.
   *
   * @param options.onWait - called if it has to wait for another build.
   * @returns null if they can, otherwise why not, as the end of a sentence.
   * @throws Interruption when the signal aborts.
   */
  connect?(options: {
    signal: AbortSignal;
    onWait(): Promise<void>;
  }): Promise<string | null>;
  /**
   * Runs a program in the work directory until it ends.
   *
   * @returns null for exit code 0, otherwise why it failed, as the end of a sentence.
   * @throws Interruption when the signal aborts; all processes it started have ended by
   * then.
   * @throws PlaceLostError
   */
  run(command: Command): Promise<string | null>;
  /**
   * Copies the files of the work directory that match globs to this machine.
   *
   * @returns the absolute path of a folder with the files, under their names relative to the work
   * directory. They are untrusted: links may lead anywhere.
   */
  bring(globs: readonly string[]): Promise<string>;
  /**
   * Writes a new file into the home folder of the build, where its commands may read and
   * remove it.
   *
   * @returns its absolute name, as commands see it.
   */
  put(content: AsyncIterable<Buffer>): Promise<string>;
  /** Opens a file written by a command in the home folder; returns undefined if not found. */
  take(name: string): Promise<FileHandle | undefined>;
  /**
   * Ends every process of the build and removes its folders.
   *
   * @param options.keepsFiles - true to keep the folders for another attempt, if this executor can.
   */
  close(options?: { keepsFiles?: boolean }): Promise<void>;
}

/** Isolation of build programs, for the API and the pages. */
export interface ExecutorStatus {
  /** `elsewhere`: this process only serves requests, and other processes run the builds. */
  kind: 'bubblewrap' | 'none' | 'containers' | 'kubernetes' | 'elsewhere';
  /** The mechanism that limits the resources of a build; null if there is none. */
  limits: string | null;
  /** Gaps in the isolation and their reasons; sentences for people. */
  gaps: string[];
}

/** How jobs with a container run, as tested. */
export interface ImagesStatus extends ExecutorStatus {
  /** The name and version of what runs containers; null if unknown. */
  engine: string | null;
  /** Why containers cannot run now; the end of a sentence. */
  fault: string | null;
}

/** How a process runs builds with and without a container. */
export interface ExecutorsStatus extends ExecutorStatus {
  /** null if it runs no jobs with a container. */
  containers: ImagesStatus | null;
}

/** A way of running builds. All implementations pass the same test suite. */
export interface Executor {
  readonly status: ExecutorStatus;
  /**
   * Creates the place in which one build runs.
   *
   * @throws PlaceLostError if the build resumes and its files are gone.
   */
  open(build: PlaceRequest): Promise<Place>;
  /**
   * Removes what ended builds left behind because their process was killed before it could clean
   * up.
   *
   * @param listOver - returns which of the given build ids have ended.
   * @throws the first error, after removing all that can be removed.
   */
  tidy(listOver: (ids: number[]) => Promise<number[]>): Promise<void>;
  /** Kills leftover processes of builds whose server process is known on this machine to be gone. */
  sweep(isGone: (worker: string) => Promise<boolean>): Promise<void>;
  /** Releases what it keeps ready for further builds. */
  close?(): Promise<void>;
}
