import type { Claim } from '../builds/Build.ts';

/** The artifacts of a build of another job. */
export interface FoundArtifacts {
  /** Number of the build. */
  number: number;
  /** Relative to its work directory. */
  paths: string[];
}

/** Gives builds access to the artifacts of the jobs named by their own job. */
export interface OtherArtifacts {
  list(claim: Claim, job: string): Promise<FoundArtifacts | undefined>;
  /** Opens an artifact that {@link list} returned; undefined if it no longer exists. */
  open(
    claim: Claim,
    file: { job: string; number: number; path: string },
  ): Promise<AsyncIterable<Buffer> | undefined>;
}
