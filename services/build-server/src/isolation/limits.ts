import type { JobLimits } from '../jobs/JobParts.ts';
import { describeExcess } from './excess.ts';

/** Resource limits of one build. */
export interface ResourceLimits {
  /** Processes and threads. */
  processes: number;
  /** Mebibytes of memory. */
  memoryMiB: number;
  /** Maximum bytes of one file. */
  fileBytes: number;
}

/** Enforces {@link ResourceLimits} on the programs of builds. */
export interface Limiter {
  /** The mechanism, as the end of a sentence. */
  readonly means: string;
  /** Resources that are not limited; sentences for people. */
  readonly gaps: readonly string[];
  /**
   * Creates the limits of a build.
   *
   * @param own - limits of its job, which replace the general ones.
   */
  prepare(buildId: number, own?: JobLimits): Promise<void>;
  /** Returns the command that runs a program of a build within its limits. */
  command(buildId: number, argv: readonly string[]): string[];
  /**
   * Returns the limit for which programs of a build were killed, as the end of a sentence;
   * undefined if none were.
   */
  explain(buildId: number): Promise<string | undefined>;
  /**
   * Returns which limit a build exceeds, or keeps running into; the end of a sentence. To be called
   * every second.
   *
   * @param sessions - process ids of the running programs of the build.
   */
  excess(
    buildId: number,
    sessions: ReadonlySet<number>,
  ): Promise<string | undefined>;
  /** Kills what is left of a build, and removes its limits. */
  release(buildId: number): Promise<void>;
}

export const DISK_GAP =
  'Disk space is checked every second: until then, a build can exceed its limit.';
export const CPU_GAP = 'Processor time is shared with the build server.';
/** If the machine runs out of memory, the kernel ends builds before the build server. */
export const FIRST_TO_GO = 'echo 1000 > /proc/self/oom_score_adj';

/** The limits of builds: those of their jobs, otherwise the general ones. */
export class LimitsByBuild {
  readonly #general: ResourceLimits;
  readonly #own = new Map<number, JobLimits>();

  constructor(general: ResourceLimits) {
    this.#general = general;
  }

  set(buildId: number, own: JobLimits): void {
    this.#own.set(buildId, own);
  }

  get(buildId: number): ResourceLimits {
    return { ...this.#general, ...this.#own.get(buildId) };
  }

  delete(buildId: number): void {
    this.#own.delete(buildId);
  }
}

/**
 * Limits each process on its own (rlimits). They count processes per user, so each build
 * needs its own user.
 */
export class ProcessLimits implements Limiter {
  readonly means: string;
  readonly gaps: readonly string[] = [
    CPU_GAP,
    DISK_GAP,
    'Memory is checked every second, as control groups do not work here: until then, a build can exceed its limit.',
  ];
  readonly #limits: LimitsByBuild;
  readonly #prlimit: string | null;

  constructor(limits: ResourceLimits, prlimit: string | null) {
    this.#limits = new LimitsByBuild(limits);
    this.#prlimit = prlimit;
    this.means = prlimit ? 'limits of processes' : 'checks of processes';
  }

  async prepare(buildId: number, own: JobLimits = {}): Promise<void> {
    this.#limits.set(buildId, own);
  }

  command(buildId: number, argv: readonly string[]): string[] {
    const script = `${FIRST_TO_GO} 2>/dev/null; exec "$@"`;
    return [
      ...['/bin/sh', '-c', script, 'limits'],
      ...this.limited(buildId, argv),
    ];
  }

  /** Returns the command that runs a program within the limits of single processes. */
  limited(
    buildId: number,
    argv: readonly string[],
    /** False if a control group counts the processes: these limits count all of a user. */
    { ofProcesses = true }: { ofProcesses?: boolean } = {},
  ): string[] {
    const { processes, fileBytes } = this.#limits.get(buildId);
    if (!this.#prlimit) {
      return [...argv];
    }
    return [
      ...[this.#prlimit, `--fsize=${fileBytes}`, '--core=0'],
      ...(ofProcesses ? [`--nproc=${processes}`] : []),
      ...argv,
    ];
  }

  async explain(): Promise<undefined> {}

  async excess(
    buildId: number,
    sessions: ReadonlySet<number>,
  ): Promise<string | undefined> {
    return describeExcess(sessions, this.#limits.get(buildId));
  }

  async release(buildId: number): Promise<void> {
    this.#limits.delete(buildId);
  }
}
