import type { Approval } from '../jobs/JobStep.ts';

/** A person's decision about a step. */
export interface Decision {
  isApproved: boolean;
  /** Entity reference or name of the user. */
  by: string;
  comment: string | null;
  /** Values of the inputs, for later steps. */
  values: Record<string, string>;
}

/** Identifies a folder cached for later builds. */
export interface CacheKey {
  name: string;
  /** A digest of everything its content depends on. */
  key: string;
}

/** A cache found for a build. */
export interface FoundCache {
  content: AsyncIterable<Buffer>;
  /** False for the newest cache of the same name with a different key. */
  isExact: boolean;
}

/** Thrown for a cache that cannot be stored; the message is for people. */
export class CacheError extends Error {
  override readonly name = 'CacheError';
}

/** The artifacts of a build of another job. */
export interface FoundArtifacts {
  /** Number of the build. */
  number: number;
  /** Relative to its work directory. */
  paths: string[];
}

/**
 * What a running build exchanges with people and with other builds. The server's stores provide it;
 * an agent requests it from the server.
 */
export interface Exchange {
  gates: {
    /**
     * Asks for a person's decision about a step; idempotent.
     *
     * @returns undefined while there is no decision.
     */
    ask(gate: {
      step: string;
      approval: Approval;
    }): Promise<Decision | undefined>;
  };
  /** Folders for later builds, in the scope of the build's branch or pull request. */
  caches: {
    fetch(cache: CacheKey): Promise<FoundCache | undefined>;
    /** @throws CacheError if it is too large. */
    save(cache: CacheKey, content: AsyncIterable<Buffer>): Promise<void>;
  };
  /** The artifacts of the jobs that the build's own job names. */
  jobArtifacts: {
    list(job: string): Promise<FoundArtifacts | undefined>;
    /** Opens an artifact that `list` returned; undefined if it no longer exists. */
    open(file: {
      job: string;
      number: number;
      path: string;
    }): Promise<AsyncIterable<Buffer> | undefined>;
  };
}
