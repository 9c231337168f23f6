import type { BuildSource } from '../builds/Build.ts';
import type { GitOptions } from '../execution/PlacedBuild.ts';
import type { Job } from '../jobs/Job.ts';
import { isCommit, isRef } from '../jobs/repository.ts';
import type { TellSkipped } from '../reporting/tellForges.ts';
import type { StepSecrets } from '../secrets/StepSecrets.ts';
import type { SkipStore } from '../storage/SkipStore.ts';
import { type EventSource, type Head, headOf } from './eventReading.ts';
import { readHead } from './serverGit.ts';

/** Maximum number of cached messages: the jobs of a repository need the same ones. */
const MAX_REMEMBERED = 500;

/** The job of a file, whose branches may have jobs of their own. */
type Parent = Pick<Job, 'source'>;

/** Dependencies of {@link SkippedPushes}. */
interface SkipOptions {
  store: Pick<SkipStore, 'find' | 'record'>;
  secrets: Pick<StepSecrets, 'checkoutOf'>;
  git: GitOptions;
  /** PATH of git. */
  path: string;
  now: () => number;
  /** Called in the transaction that records a commit. */
  tellSkipped?: TellSkipped;
}

/**
 * Decides which commits are not built because their message says `[skip ci]`, and records them. Only
 * the head of a push or pull request counts. Tags are always built, and so are the pull requests of
 * forks: whoever opens one must not decide whether it is checked.
 */
export class SkippedPushes {
  readonly #options: SkipOptions;
  /** Messages read so far, by repository and commit, oldest first; they never change. */
  readonly #read = new Map<string, Head>();

  constructor(options: SkipOptions) {
    this.#options = options;
  }

  /**
   * Decides whether to build a commit, whose message is read from its repository if the event does
   * not contain it. A commit whose message cannot be read is built.
   *
   * @param options.parent - has the repository.
   * @param options.job - name of the job that would build the commit.
   * @param options.withinMs - how long the repository may take, including the wait for others.
   * @returns `moved` if the ref has a newer commit by now, so that the message is unknown.
   */
  async decide(
    found: EventSource,
    options: {
      parent: Parent;
      job: string;
      withinMs: number;
      signal?: AbortSignal;
    },
  ): Promise<'build' | 'skip' | 'moved'> {
    const { store, now } = this.#options;
    const { source } = found;
    const { after, ref } = source;
    if (ref?.startsWith('refs/tags/') || source.pullRequest?.isFork) {
      return 'build';
    }
    let { head } = found;
    if (head === undefined && found.isStrict && after !== undefined) {
      if ((await store.find(options.job))?.commit === after) {
        return 'skip';
      }
      const read = await this.#headOf(source, options);
      if (read === 'moved') {
        return read;
      }
      head = read;
    }
    if (!head?.isSkipped) {
      return 'build';
    }
    const { job } = options;
    const push = {
      commit: after ?? null,
      title: head.title,
      ref: ref ?? null,
      at: now(),
      pullRequest: source.pullRequest,
    };
    await store.record(job, push, async trx =>
      this.#options.tellSkipped?.(trx, { job, source }),
    );
    return 'skip';
  }

  /** Reads the head of a ref; undefined if it cannot be read. */
  async #headOf(
    { ref = '', after }: BuildSource,
    options: { parent: Parent; withinMs: number; signal?: AbortSignal },
  ): Promise<Head | 'moved' | undefined> {
    const { secrets, git, path } = this.#options;
    const { source } = options.parent;
    if (!source || !isRef(ref) || !isCommit(after)) {
      return undefined;
    }
    const key = `${source.repository} ${after}`;
    const known = this.#read.get(key);
    if (known) {
      return known;
    }
    const { withinMs, signal } = options;
    if (withinMs <= 0) {
      return undefined;
    }
    const { knownHosts } = source.credentials ?? {};
    try {
      const { commit, message } = await readHead(
        { ...secrets.checkoutOf(source), knownHosts, ...git },
        { ref, path, withinMs, signal },
      );
      const head = headOf(message);
      if (commit !== after || !head) {
        return 'moved';
      }
      this.#remember(key, head);
      return head;
    } catch {
      signal?.throwIfAborted();
      return undefined;
    }
  }

  #remember(key: string, head: Head): void {
    const [oldest] = this.#read.keys();
    if (oldest !== undefined && this.#read.size >= MAX_REMEMBERED) {
      this.#read.delete(oldest);
    }
    this.#read.set(key, head);
  }
}

/** Returns a sentence for people that says why a commit is not built. */
export function skippedReason({ after }: BuildSource): string {
  return `Skipped: the message of ${after?.slice(0, 10) ?? 'the commit'} says [skip ci]`;
}
