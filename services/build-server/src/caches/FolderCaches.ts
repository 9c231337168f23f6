import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { removeAbandoned } from '../artifacts/removeAbandoned.ts';
import type { Build, Claim } from '../builds/Build.ts';
import {
  CacheError,
  type CacheKey,
  type FoundCache,
} from '../execution/Exchange.ts';
import { type Job, refOfBranch } from '../jobs/Job.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { BuildStore } from '../storage/BuildStore.ts';
import type { CacheStore } from '../storage/CacheStore.ts';
import { familyOf } from '../storage/TestStore.ts';

const DAY_MS = 86_400_000;

/** Limits on stored caches. */
interface CacheLimits {
  /** Maximum bytes of one cache. */
  maxBytes: number;
  /** Maximum bytes of all caches of a job and its branches. */
  quotaBytes: number;
  /** Days to keep an unused cache. */
  keepDays: number;
}

/** Dependencies of {@link FolderCaches}. */
interface CacheOptions {
  /** Absolute. */
  directory: string;
  limits: CacheLimits;
  store: CacheStore;
  builds: Pick<BuildStore, 'findById' | 'isHeld'>;
  jobs: Pick<JobCatalog, 'findOfBuild'>;
  now: () => number;
}

/** Stores caches in a folder of the server, one file each. */
export class FolderCaches {
  readonly #options: CacheOptions;

  constructor(options: CacheOptions) {
    this.#options = options;
  }

  async fetch(
    claim: Claim,
    { name, key }: CacheKey,
  ): Promise<FoundCache | undefined> {
    const { store, now } = this.#options;
    const { family, scopes } = await this.#scopesOf(claim);
    const found = await store.find(family, { name, key, scopes });
    const file =
      found && (await open(this.#fileOf(found.id)).catch(() => undefined));
    if (!file) {
      return undefined;
    }
    await store.touch(found.id, now());
    return { content: file.createReadStream(), isExact: found.key === key };
  }

  async save(
    claim: Claim,
    { name, key }: CacheKey,
    content: AsyncIterable<Buffer>,
  ): Promise<void> {
    const { directory, limits, store, builds, now } = this.#options;
    const { family, scopes } = await this.#scopesOf(claim);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const part = path.join(directory, `${randomBytes(8).toString('hex')}.part`);
    const file = await open(part, 'wx', 0o600);
    try {
      let size = 0;
      for await (const chunk of content) {
        size += chunk.length;
        if (size > limits.maxBytes) {
          throw new CacheError(`it is larger than ${limits.maxBytes} bytes`);
        }
        await file.writeFile(chunk);
      }
      if (!(await builds.isHeld(claim))) {
        return;
      }
      const cache = { scope: scopes[0], name, key, size };
      const id = await store.add(family, cache, now());
      if (id !== undefined) {
        await rename(part, this.#fileOf(id));
      }
    } finally {
      await file.close();
      await rm(part, { force: true });
    }
    await this.prune();
  }

  /** Removes unused caches, caches over the quota, and orphaned files. */
  async prune(): Promise<void> {
    const { directory, limits, store, now } = this.#options;
    const expired = await store.listExpired({
      usedBefore: now() - limits.keepDays * DAY_MS,
      quotaBytes: limits.quotaBytes,
    });
    await store.remove(expired);
    // Listed before the ids are read, so that the file of a cache added in between is not in this
    // list.
    const names = await readdir(directory).catch((): string[] => []);
    const known = new Set((await store.listIds()).map(id => `${id}.tgz`));
    for (const name of names) {
      if (name.endsWith('.tgz') && !known.has(name)) {
        await rm(path.join(directory, name), { force: true });
      }
    }
    await removeAbandoned(directory, now());
  }

  async #scopesOf({
    id,
  }: Claim): Promise<{ family: string; scopes: string[] }> {
    const { builds, jobs } = this.#options;
    const build = await builds.findById(id);
    if (!build) {
      throw new CacheError('the build is gone');
    }
    const job = jobs.findOfBuild(build.job);
    if (!job) {
      throw new CacheError('its job is gone');
    }
    return { family: familyOf(build.job), scopes: scopesOf(build, job) };
  }

  #fileOf(id: number): string {
    return path.join(this.#options.directory, `${id}.tgz`);
  }
}

/**
 * Returns the scopes a build may read, its own first, which is the only one it writes.
 * The base branch never reads what a pull request or a branch created from it has
 * written.
 */
function scopesOf(
  build: Pick<Build, 'job' | 'source' | 'parameters'>,
  { source }: Pick<Job, 'source'>,
): string[] {
  const main = source?.branch ? refOfBranch(source.branch) : 'HEAD';
  const [, ofJob] = /\/(PR-\d+)$/.exec(build.job) ?? [];
  const { pullRequest, ref } = build.source ?? {};
  const asked = source?.branchFrom && build.parameters[source.branchFrom];
  const branch = ref ?? (asked ? refOfBranch(asked) : main);
  // A branch may be called `fix/PR-7`.
  const isRequest = pullRequest || (ofJob && !ref?.startsWith('refs/heads/'));
  const own = isRequest ? `pull/${pullRequest?.number ?? ofJob}` : branch;
  const base = pullRequest?.base;
  return [
    ...new Set([own, ...(base === undefined ? [] : [refOfBranch(base)]), main]),
  ];
}
