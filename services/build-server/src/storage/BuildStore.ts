import { chunksOf, type Database, GroupWriter } from '@slipway/service-kit';
import { type Build, type NewBuild, shortName } from '../builds/Build.ts';
import { type BuildRow, storableName, toBuild } from './BuildReader.ts';
import { type BuildListener, ClaimStore } from './ClaimStore.ts';
import { enqueueBuilds } from './enqueueBuilds.ts';

/** What a trigger resulted in. */
interface Enqueued {
  build: Build;
  /** False if the trigger repeats an earlier one. */
  isNew: boolean;
}

/** Triggers per commit. Limits how long the first of them waits. */
const MAX_TRIGGERS = 100;
/** Time to wait while a burst brings further triggers. */
const ARRIVAL_MS = 10;
/** Rows per statement, see {@link chunksOf}. */
const ROWS = 500;

/** Writes builds into the service's own database; a write is durable when its method returns. */
export class BuildStore extends ClaimStore {
  readonly #database: Database;
  readonly #listener: BuildListener;
  /** Triggers that arrive during a commit share the next one. */
  readonly #triggers: GroupWriter<NewBuild, Enqueued>;

  constructor(options: { database: Database } & BuildListener) {
    super(options);
    this.#database = options.database;
    this.#listener = options;
    this.#triggers = new GroupWriter({
      groupSize: MAX_TRIGGERS,
      arrivalMs: ARRIVAL_MS,
      isolates: true,
      write: builds => this.#enqueue(builds),
    });
  }

  /** Registers jobs, so that numbers can be reserved for them, and records when they were last seen. */
  async registerJobs(
    names: readonly string[],
    seenAt = Date.now(),
  ): Promise<void> {
    await this.#database.transaction(async trx => {
      for (const part of chunksOf(names, ROWS)) {
        await trx('jobs')
          .insert(part.map(name => ({ name, last_number: 0, seen_at: seenAt })))
          .onConflict('name')
          .merge(['seen_at']);
      }
    });
  }

  /**
   * Reads when the schedule of a job was last checked, in milliseconds since the Unix epoch;
   * undefined if it never was.
   */
  async findScheduleCheck(job: string): Promise<number | undefined> {
    const row = await this.#database
      .knex('jobs')
      .where({ name: job })
      .first('scheduled_at');
    const at = row?.scheduled_at ?? null;
    return at === null ? undefined : Number(at);
  }

  /** Records that the schedule of a job was checked, and what was due is queued. */
  async noteScheduleCheck(job: string, now: number): Promise<void> {
    await this.#database.transaction(trx =>
      trx('jobs').where({ name: job }).update({ scheduled_at: now }),
    );
  }

  /**
   * Ends queued builds of jobs that no server has seen for a while: nothing would start
   * them.
   *
   * @param options.unseenSince - milliseconds since the Unix epoch.
   * @returns the number of builds ended.
   */
  async endOrphans(options: {
    unseenSince: number;
    now: number;
  }): Promise<number> {
    const orphans: { id: number }[] = await this.#database
      .knex('builds')
      .join('jobs', 'jobs.name', 'builds.job')
      .where('builds.state', 'queued')
      .where(job =>
        job
          .whereNull('jobs.seen_at')
          .orWhere('jobs.seen_at', '<', options.unseenSince),
      )
      .limit(1_000)
      .select('builds.id');
    for (const { id } of orphans) {
      await this.end(trx =>
        trx<BuildRow, number>('builds').where({ id, state: 'queued' }).update({
          state: 'finished',
          result: 'ABORTED',
          reason: 'Its job was removed',
          finished_at: options.now,
        }),
      );
    }
    return orphans.length;
  }

  /** Reserves a number and queues the build, in one transaction. */
  async enqueue(build: NewBuild): Promise<Enqueued> {
    return this.#triggers.add(build);
  }

  async #enqueue(builds: readonly NewBuild[]): Promise<Enqueued[]> {
    const offer = this.#listener.offer?.(new Set(builds.map(({ job }) => job)));
    let started: Build[] = [];
    try {
      return await this.#database.transaction(async trx => {
        const queued = await enqueueBuilds(trx, builds);
        const results = queued.map(({ row, isNew }) => ({
          build: toBuild(row),
          isNew,
        }));
        for (const { build, isNew } of results) {
          if (isNew) {
            await this.#listener.onQueued?.(trx, build);
          }
        }
        started = offer ? await this.claimIn(trx, offer.claim) : [];
        return results.map(({ build, isNew }) => ({
          build: started.find(({ id }) => id === build.id) ?? build,
          isNew,
        }));
      });
    } catch (error) {
      started = [];
      throw error;
    } finally {
      offer?.take(started);
    }
  }

  /** Cancels a queued build, or requests the end of a running one. @returns the current build. */
  async requestStop(
    id: number,
    { by, now }: { by: string; now: number },
  ): Promise<Build | undefined> {
    const requester = storableName(by);
    const isCancelled = await this.end(trx =>
      trx<BuildRow>('builds')
        .where({ id, state: 'queued' })
        .update({
          state: 'finished',
          result: 'ABORTED',
          reason: `Cancelled by ${shortName(by)}`,
          finished_at: now,
          stop_requested_by: requester,
        }),
    );
    if (!isCancelled) {
      // If it was started in the meantime, it is running.
      await this.#database.transaction(trx =>
        trx('builds')
          .where({ id, state: 'running' })
          .whereNull('stop_requested_by')
          .update({ stop_requested_by: requester }),
      );
    }
    const build = await this.findById(id);
    // It was queued again in between.
    return build?.state === 'queued'
      ? this.requestStop(id, { by, now })
      : build;
  }
}
