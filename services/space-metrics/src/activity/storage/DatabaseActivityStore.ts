import { type Database, GroupWriter } from '@slipway/service-kit';
import type { Knex } from 'knex';
import { recordContributions } from '../../records/storage/rollups.ts';
import { numberPeople } from '../../storage/numberPeople.ts';
import {
  chunksOf,
  countRevision,
  readRevision,
  selectRows,
  SUBMISSION_GROUPS,
} from '../../storage/sql.ts';
import { type ActivityEvent, contributionOfEvent } from '../ActivityEvent.ts';
import type { FirstCommit } from '../ActivityEvent.ts';

/** Maximum number of batches per transaction, with up to a thousand events each. */
const BATCHES = 16;

/**
 * Stores the batches that arrive together, with their numbers and first commits, in one
 * transaction. First commits are cached until their revision changes, because every efficiency
 * report reads all of them.
 */
export class DatabaseActivityStore {
  readonly #database: Database;
  readonly #writer: GroupWriter<readonly ActivityEvent[], boolean[]>;
  #firsts?: { revision: number; commits: FirstCommit[] };

  constructor(database: Database) {
    this.#database = database;
    this.#writer = new GroupWriter({
      ...SUBMISSION_GROUPS,
      groupSize: BATCHES,
      write: batches => this.#write(batches),
    });
  }

  /**
   * Stores events; an event that is sent repeatedly is stored once.
   *
   * @returns for each event, whether it is new.
   */
  add(events: readonly ActivityEvent[]): Promise<boolean[]> {
    return this.#writer.add(events);
  }

  /** Reads the first commits of all people. Returns the same array until something changes. */
  async firstCommits(): Promise<FirstCommit[]> {
    const revision = await readRevision(this.#database.knex, 'first_commits');
    if (this.#firsts?.revision !== revision) {
      this.#firsts = { revision, commits: await this.#readFirstCommits() };
    }
    return this.#firsts.commits;
  }

  async #readFirstCommits(): Promise<FirstCommit[]> {
    const rows: {
      id: number;
      hash: string;
      first_commit_at: number | string;
      first_commit_day: number;
      first_commit_team: string;
    }[] = await this.#database
      .knex('people')
      .whereNotNull('first_commit_day')
      .orderBy('first_commit_day');
    return rows.map(row => ({
      person: row.id,
      personHash: row.hash,
      at: Number(row.first_commit_at),
      day: row.first_commit_day,
      team: row.first_commit_team,
    }));
  }

  async #write(
    batches: readonly (readonly ActivityEvent[])[],
  ): Promise<boolean[][]> {
    const unseen = new Map<string, ActivityEvent>();
    for (const event of batches.flat()) {
      if (!unseen.has(keyOf(event))) {
        unseen.set(keyOf(event), event);
      }
    }
    const fresh = await this.#database.transaction(trx =>
      this.#insert(trx, [...unseen.values()]),
    );
    // Only the first occurrence of an event counts as new, not its duplicates.
    return batches.map(batch => batch.map(event => fresh.delete(event)));
  }

  /** Inserts events. @returns those that did not exist. */
  async #insert(
    trx: Knex.Transaction,
    events: readonly ActivityEvent[],
  ): Promise<Set<ActivityEvent>> {
    const people = await numberPeople(
      trx,
      events.flatMap(({ personHash }) => personHash ?? []),
    );
    const numberOf = ({ personHash }: ActivityEvent) =>
      personHash === undefined ? undefined : people.get(personHash)!;
    const inserted = new Set<string>();
    for (const part of chunksOf(events)) {
      const rows: { source: string; event_id: string }[] = await trx(
        'activity_events',
      )
        .insert(
          part.map(event => ({
            source: event.source,
            event_id: event.id,
            kind: event.kind,
            person: numberOf(event) ?? null,
            team: event.team,
            occurred_at: event.occurredAt,
            day: event.day,
            amount: event.amount,
            people: event.people,
            result: event.result ?? null,
            // Builds do not concern people and need no release.
            batch: event.kind === 'build' ? 0 : null,
          })),
        )
        .onConflict(['source', 'event_id'])
        .ignore()
        .returning(['source', 'event_id']);
      rows.forEach(row =>
        inserted.add(keyOf({ source: row.source, id: row.event_id })),
      );
    }
    const fresh = events.filter(event => inserted.has(keyOf(event)));
    await recordContributions(
      trx,
      fresh.map(event => contributionOfEvent(event, numberOf(event))),
    );
    await noteFirstCommits(
      trx,
      fresh.flatMap(event => {
        const person = numberOf(event);
        return event.kind === 'commit' && person !== undefined
          ? [{ person, at: event.occurredAt, day: event.day, team: event.team }]
          : [];
      }),
    );
    return new Set(fresh);
  }
}

function keyOf({ source, id }: Pick<ActivityEvent, 'source' | 'id'>): string {
  return JSON.stringify([source, id]);
}

/** Stores the earliest commit of each person, regardless of the order in which commits arrive. */
async function noteFirstCommits(
  trx: Knex.Transaction,
  commits: readonly Omit<FirstCommit, 'personHash'>[],
): Promise<void> {
  const earliest = new Map<number, Omit<FirstCommit, 'personHash'>>();
  for (const commit of commits) {
    const known = earliest.get(commit.person);
    if (!known || known.at > commit.at) {
      earliest.set(commit.person, commit);
    }
  }
  if (earliest.size === 0) {
    return;
  }
  const firsts = [...earliest.values()].sort((a, b) => a.person - b.person);
  const row =
    '(CAST(? AS INTEGER), CAST(? AS BIGINT), CAST(? AS INTEGER), CAST(? AS TEXT))';
  const changed = await selectRows(
    trx,
    `WITH earliest(person, at, day, team) AS (VALUES ${firsts
      .map(() => row)
      .join(', ')})
     UPDATE people SET first_commit_at = earliest.at,
       first_commit_day = earliest.day, first_commit_team = earliest.team
     FROM earliest
     WHERE people.id = earliest.person
       AND (people.first_commit_at IS NULL OR people.first_commit_at > earliest.at)
     RETURNING people.id`,
    firsts.flatMap(({ person, at, day, team }) => [person, at, day, team]),
  );
  if (changed.length > 0) {
    await countRevision(trx, 'first_commits');
  }
}
