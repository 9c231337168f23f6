import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type { DatabaseLedger } from '../ledger/DatabaseLedger.ts';
import { GroupWriter } from '../ledger/GroupWriter.ts';
import { numberPeople } from '../people/DatabasePeople.ts';
import { ALL_TEAMS } from '../people/team.ts';
import type { Period } from '../periods/Period.ts';
import type { TeamDays } from '../privacy/Releases.ts';
import {
  contributionOfFriction,
  type FrictionLog,
  type Severity,
} from './FrictionLog.ts';
import type {
  FrictionStore,
  FrictionSum,
  FrictionText,
} from './FrictionStore.ts';

/**
 * Stores logs that arrive together in one transaction. Sums and texts are read from the
 * logs themselves, as there are few of them.
 */
export class DatabaseFrictionStore implements FrictionStore {
  readonly #knex: Knex;
  readonly #writer: GroupWriter<FrictionLog, void>;

  constructor(options: { database: Database; ledger: DatabaseLedger }) {
    const { database, ledger } = options;
    this.#knex = database.knex;
    this.#writer = new GroupWriter<FrictionLog, void>({
      write: logs =>
        database.transaction(async trx => {
          const people = await numberPeople(
            trx,
            logs.map(({ personHash }) => personHash),
          );
          const numberOf = (log: FrictionLog) => people.get(log.personHash)!;
          await trx('friction_logs').insert(
            logs.map(log => ({
              id: log.id,
              person: numberOf(log),
              team: log.team,
              occurred_at: log.occurredAt,
              day: log.day,
              category: log.category,
              severity: log.severity,
              time_lost_minutes: log.timeLostMinutes,
              description: log.description,
            })),
          );
          await ledger.record(
            trx,
            logs.map(log => contributionOfFriction(log, numberOf(log))),
          );
          return logs.map(() => undefined);
        }),
    });
  }

  add(log: FrictionLog): Promise<void> {
    return this.#writer.add(log);
  }

  async categories(options: {
    team: string;
    period: Period;
  }): Promise<{ category: string; entries: number }[]> {
    const { team, period } = options;
    const rows: { category: string; entries: number | string }[] =
      await this.#knex('friction_logs')
        .modify(query => team !== ALL_TEAMS && query.where({ team }))
        .whereBetween('day', [period.start, period.end - 1])
        .groupBy('category')
        .orderBy('category')
        .select('category')
        .count({ entries: '*' });
    return rows.map(({ category, entries }) => ({
      category,
      entries: Number(entries),
    }));
  }

  async sum(category: string, days: readonly TeamDays[]): Promise<FrictionSum> {
    const row: Record<string, number | string | null> | undefined =
      await this.#within(category, days)
        .count({ entries: '*' })
        .countDistinct({ reporters: 'person' })
        .sum({ minutes: 'time_lost_minutes' })
        .first();
    return {
      entries: Number(row?.entries ?? 0),
      reporters: Number(row?.reporters ?? 0),
      timeLostMinutes: Number(row?.minutes ?? 0),
    };
  }

  async texts(
    category: string,
    options: { days: readonly TeamDays[]; limit: number },
  ): Promise<FrictionText[]> {
    const rows: {
      severity: Severity;
      time_lost_minutes: number;
      description: string;
    }[] = await this.#within(category, options.days)
      .select('severity', 'time_lost_minutes', 'description')
      .orderBy([{ column: 'time_lost_minutes', order: 'desc' }, 'description'])
      .limit(options.limit);
    return rows.map(row => ({
      severity: row.severity,
      timeLostMinutes: row.time_lost_minutes,
      description: row.description,
    }));
  }

  #within(category: string, days: readonly TeamDays[]) {
    return this.#knex('friction_logs')
      .where({ category })
      .where(any => {
        // Nothing shown matches nothing.
        any.whereRaw('1 = 0');
        for (const { team, from, to } of days) {
          any.orWhere(one => {
            one.whereBetween('day', [from, to]);
            if (team !== ALL_TEAMS) {
              one.where({ team });
            }
          });
        }
      });
  }
}
