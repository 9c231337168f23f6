import type { Claim } from '../builds/Build.ts';

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
