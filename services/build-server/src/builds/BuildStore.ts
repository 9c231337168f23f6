import type {
  Build,
  BuildResult,
  BuildSource,
  BuildStep,
  TestSummary,
} from './Build.ts';
import type { BuildReader } from './BuildReader.ts';

/** What is written down when a build is triggered. Times in milliseconds. */
export interface NewBuild {
  job: string;
  cause: string;
  triggeredBy: string | null;
  parameters: Record<string, string>;
  source: BuildSource | null;
  /** What the sender calls this trigger; again the same is the same build. */
  delivery: string | null;
  queuedAt: number;
  dueAt: number;
  /** Whether one that waits and is for the same takes its place. */
  joinsWaiting: boolean;
}

/** A build in the hands of one process, once: its fencing number. */
export interface Claim {
  id: number;
  worker: string;
  attempt: number;
}

/** What a running build has come to so far. */
export interface BuildProgress {
  steps: BuildStep[];
  source?: BuildSource | null;
}

/** How a build ended. */
export interface BuildOutcome extends BuildProgress {
  result: BuildResult;
  reason: string | null;
  tests: TestSummary | null;
  /** Milliseconds since the Unix epoch. */
  finishedAt: number;
}

/** A running build that its process has to look after. */
export interface HeldBuild {
  id: number;
  attempt: number;
  stopRequestedBy: string | null;
}

/** Where builds are. Everything written is on disk when a method returns. */
export interface BuildStore extends BuildReader {
  /** Makes jobs known, so that numbers can be reserved for them. */
  registerJobs(names: readonly string[]): Promise<void>;
  /** Reserves the number and queues the build, in one. */
  enqueue(build: NewBuild): Promise<{ build: Build; isNew: boolean }>;
  /**
   * Starts queued builds that are due: each goes to one process alone.
   *
   * @param options.serial - whether builds of a job run one after the other.
   */
  claim(options: {
    worker: string;
    jobs: readonly { name: string; serial: boolean }[];
    limit: number;
    now: number;
    leaseUntil: number;
  }): Promise<Build[]>;
  /** Renews what a process holds. @returns it; what is missing was taken away. */
  renew(options: { worker: string; leaseUntil: number }): Promise<HeldBuild[]>;
  /** @returns false when the build is no longer the claim's. */
  saveProgress(claim: Claim, progress: BuildProgress): Promise<boolean>;
  /** @returns false when the build is no longer the claim's. */
  finish(claim: Claim, outcome: BuildOutcome): Promise<boolean>;
  /** Running builds whose process may be gone. */
  listRunning(): Promise<(Claim & { leaseUntil: number })[]>;
  /** Ends a build whose process is gone, unless that one came back. */
  abandon(
    claim: Claim,
    end: { now: number; reason: string; leaseEndedBefore?: number },
  ): Promise<boolean>;
  /** Cancels what is queued, and asks for the end of what runs. @returns the build as it is now. */
  requestStop(
    id: number,
    options: { by: string; now: number },
  ): Promise<Build | undefined>;
}
