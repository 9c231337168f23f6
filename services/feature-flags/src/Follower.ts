import type { ServiceKit } from '@slipway/service-kit';
import type { Revision, RevisionSubject } from './revisions.ts';

/**
 * Follows what other replicas write: asks for the revisions, which is one small row
 * each, and has what rests on them read anew where they have moved.
 */
export class Follower {
  readonly #read: () => Promise<Record<RevisionSubject, Revision>>;
  readonly #follow: Readonly<Record<RevisionSubject, () => Promise<void>>>;
  readonly #logger: ServiceKit['logger'];
  readonly #seen = new Map<RevisionSubject, string>();
  #failing = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param options.follow - reads anew what a subject stands for. */
  constructor(options: {
    read: () => Promise<Record<RevisionSubject, Revision>>;
    follow: Readonly<Record<RevisionSubject, () => Promise<void>>>;
    logger: ServiceKit['logger'];
  }) {
    this.#read = options.read;
    this.#follow = options.follow;
    this.#logger = options.logger;
  }

  /** Looks once. @throws Error when the database does not answer. */
  async look(): Promise<void> {
    const revisions = await this.#read();
    for (const subject of ['flags', 'tokens'] as const) {
      const { revision, lineage } = revisions[subject];
      const mark = `${lineage}:${revision}`;
      if (this.#seen.get(subject) !== mark) {
        await this.#follow[subject]();
        this.#seen.set(subject, mark);
      }
    }
  }

  /** Looks again and again, the first time after `everyMs`. */
  start(everyMs: number): void {
    this.#timer = setTimeout(async () => {
      try {
        await this.look();
        this.#failing = false;
      } catch (error) {
        if (!this.#failing) {
          this.#failing = true;
          this.#logger.warn(
            { err: error },
            'Flags stay as they are: the database does not answer',
          );
        }
      }
      if (this.#timer) {
        this.start(everyMs);
      }
    }, everyMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
