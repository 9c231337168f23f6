import type { Claim } from '../builds/Build.ts';
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

/** Asks for the decisions that running builds wait for. */
export interface Gates {
  /**
   * Asks for a decision; idempotent.
   *
   * @returns undefined while there is no decision.
   */
  ask(
    claim: Claim,
    gate: { step: string; approval: Approval },
  ): Promise<Decision | undefined>;
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

/** Stores folders for later builds, each in the scope of its branch or pull request. */
export interface Caches {
  fetch(claim: Claim, cache: CacheKey): Promise<FoundCache | undefined>;
  /** @throws CacheError if it is too large. */
  save(
    claim: Claim,
    cache: CacheKey,
    content: AsyncIterable<Buffer>,
  ): Promise<void>;
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

/** Gives builds access to the artifacts of the jobs named by their own job. */
export interface OtherArtifacts {
  list(claim: Claim, job: string): Promise<FoundArtifacts | undefined>;
  /** Opens an artifact that {@link list} returned; undefined if it no longer exists. */
  open(
    claim: Claim,
    file: { job: string; number: number; path: string },
  ): Promise<AsyncIterable<Buffer> | undefined>;
}

/**
 * What running builds exchange with people and with other builds. The server has stores for it, and
 * an agent asks the server.
 */
export interface Exchange {
  gates: Gates;
  caches: Caches;
  others: OtherArtifacts;
}

/** The same for a single build, which names its claim once. */
type OfOneBuild<T> = {
  [Method in keyof T]: T[Method] extends (
    claim: Claim,
    ...rest: infer Rest
  ) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** What one build exchanges. */
export type OwnExchange = {
  [Part in keyof Exchange]: OfOneBuild<Exchange[Part]>;
};

/** Makes the exchange of the build with a claim. */
export function exchangeOf(
  claim: Claim,
  { gates, caches, others }: Exchange,
): OwnExchange {
  return {
    gates: { ask: gate => gates.ask(claim, gate) },
    caches: {
      fetch: cache => caches.fetch(claim, cache),
      save: (cache, content) => caches.save(claim, cache, content),
    },
    others: {
      list: job => others.list(claim, job),
      open: file => others.open(claim, file),
    },
  };
}
