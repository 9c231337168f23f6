import { type Database, GroupWriter } from '@slipway/service-kit';
import { chunksOf, SUBMISSION_GROUPS } from '../../storage/sql.ts';
import type { Knex } from 'knex';
import { ALL_TEAMS } from '../../people/team.ts';
import type { Contribution } from '../../records/Contribution.ts';
import { recordContributions } from '../../records/storage/rollups.ts';
import { numberPeople } from '../../storage/numberPeople.ts';
import {
  type FrictionLog,
  type FrictionQuery,
  type FrictionSum,
  MOST_TEXTS,
  type TopFriction,
  contributionOfFriction,
  costliest,
} from '../FrictionLog.ts';

/**
 * Stores the logs that arrive together in one transaction. For a minimum group size of 1, sums and
 * texts are read from the logs themselves, because there are few.
 */
export class DatabaseFrictionStore implements TopFriction {
  readonly #knex: Knex;
  readonly #writer: GroupWriter<FrictionLog, void>;

  constructor(database: Database) {
    this.#knex = database.knex;
    this.#writer = new GroupWriter<FrictionLog, void>({
      ...SUBMISSION_GROUPS,
      write: logs =>
        database.transaction(async trx => {
          await recordContributions(trx, await insertFriction(trx, logs));
          return logs.map(() => undefined);
        }),
    });
  }

  add(log: FrictionLog): Promise<void> {
    return this.#writer.add(log);
  }

  async top(query: FrictionQuery): Promise<FrictionSum[]> {
    const rows: Record<string, string | number>[] = await this.#logs(query)
      .groupBy('category')
      .orderBy('category')
      .select('category')
      .count({ entries: '*' })
      .countDistinct({ reporters: 'person' })
      .sum({ minutes: 'time_lost_minutes' });
    const sums = rows.map(row => ({
      category: String(row.category),
      entries: Number(row.entries),
      reporters: Number(row.reporters),
      timeLostMinutes: Number(row.minutes),
    }));
    return Promise.all(
      costliest(sums, query.limit).map(async sum => {
        const texts = await this.#logs(query)
          .where({ category: sum.category })
          .orderByRaw('RANDOM()')
          .limit(MOST_TEXTS)
          .pluck('description');
        return { ...sum, texts };
      }),
    );
  }

  #logs({ team, period }: FrictionQuery) {
    return this.#knex('friction_logs')
      .modify(query => team !== ALL_TEAMS && query.where({ team }))
      .whereBetween('day', [period.start, period.end - 1]);
  }
}

/** Inserts logs. @returns their contributions to the numbers, which the caller has to record. */
export async function insertFriction(
  trx: Knex.Transaction,
  logs: readonly FrictionLog[],
): Promise<Contribution[]> {
  const people = await numberPeople(
    trx,
    logs.map(({ personHash }) => personHash),
  );
  for (const part of chunksOf(logs)) {
    await trx('friction_logs').insert(
      part.map(log => ({
        id: log.id,
        person: people.get(log.personHash)!,
        team: log.team,
        occurred_at: log.occurredAt,
        day: log.day,
        category: log.category,
        severity: log.severity,
        time_lost_minutes: log.timeLostMinutes,
        description: log.description,
      })),
    );
  }
  return logs.map(log => contributionOfFriction(log));
}
