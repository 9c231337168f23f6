import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type {
  Joining,
  Numbers,
  NumbersQuery,
  Sums,
  Totals,
} from '../../metrics/Numbers.ts';
import { ALL_TEAMS, NO_TEAM } from '../../people/team.ts';
import { closedWeeks, type LocalDay } from '../../periods/LocalDay.ts';
import type { Period } from '../../periods/Period.ts';
import type { Subject } from '../../records/Contribution.ts';
import { readTallies } from '../../records/storage/rollups.ts';
import { selectRows } from '../../storage/sql.ts';

/** The sum of a measure over the batches that were released with a cycle. */
interface Row {
  measure: string;
  day: number;
  total: number;
}

/**
 * Reads numbers from released batches only. A batch has its full sums on the last day of its cycle, so
 * the result of a query changes only when a cycle closes.
 */
export class ReleasedNumbers implements Numbers {
  readonly minimumGroupSize: number;
  readonly #knex: Knex;
  readonly #today: () => LocalDay;
  readonly #closeCycles: () => Promise<void>;

  /** @param options.closeCycles - releases the batches that are due. */
  constructor(options: {
    database: Database;
    minimumGroupSize: number;
    today: () => LocalDay;
    closeCycles: () => Promise<void>;
  }) {
    this.minimumGroupSize = options.minimumGroupSize;
    this.#knex = options.database.knex;
    this.#today = options.today;
    this.#closeCycles = options.closeCycles;
  }

  async read(
    subject: Subject,
    { team, periods }: NumbersQuery,
  ): Promise<Sums[]> {
    const rows = await this.#rows(subject, { team, periods });
    return periods.map(period => {
      const own = rows.filter(
        ({ day }) => day >= period.start && day < period.end,
      );
      const people = own.filter(({ measure }) => measure === 'people');
      const totals = sumByMeasure(own);
      return {
        ...(people.length > 0 && { totals: totals as Totals }),
        people: Math.max(0, ...people.map(({ total }) => total)),
        personDays: totals['activity.person_days'] ?? 0,
      };
    });
  }

  async joining(team: string, periods: readonly Period[]): Promise<Joining[]> {
    const rows = await this.#rows('joining', { team, periods });
    return periods.map(({ start, end }) => {
      const totals = sumByMeasure(
        rows.filter(({ day }) => day >= start && day < end),
      );
      const joiners = totals['joining.count'] ?? 0;
      const minutes = totals['joining.minutes'] ?? 0;
      return { joiners, hours: joiners > 0 ? minutes / 60 / joiners : null };
    });
  }

  weeks(period: Period): number {
    return closedWeeks(period, this.#today());
  }

  async teams(): Promise<string[]> {
    await this.#closeCycles();
    const rows = await selectRows<{ team: string }>(
      this.#knex,
      `SELECT DISTINCT team FROM released
       WHERE people >= ? AND team NOT IN (?, ?) ORDER BY team`,
      [this.minimumGroupSize, ALL_TEAMS, NO_TEAM],
    );
    return rows.map(({ team }) => team);
  }

  async counted(
    name: 'commits' | 'messages',
  ): Promise<{ team: string; total: number }[]> {
    await this.#closeCycles();
    const tallies = await readTallies(this.#knex, `released_${name}`);
    return tallies.filter(({ team }) => team !== ALL_TEAMS);
  }

  async #rows(
    subject: string,
    options: { team: string; periods: readonly Period[] },
  ): Promise<Row[]> {
    const { team, periods } = options;
    await this.#closeCycles();
    const ofTeam = team !== ALL_TEAMS;
    // Raw SQL, because knex takes longer to build this statement than to run it.
    const rows = await selectRows<Row>(
      this.#knex,
      `SELECT measure, day, SUM(total) AS total FROM released
       WHERE subject = ? ${ofTeam ? 'AND team = ?' : ''}
         AND day >= ? AND day < ? AND people >= ?
       GROUP BY measure, day`,
      [
        subject,
        ...(ofTeam ? [team] : []),
        Math.min(...periods.map(({ start }) => start)),
        Math.max(...periods.map(({ end }) => end)),
        this.minimumGroupSize,
      ],
    );
    // PostgreSQL returns sums as text.
    return rows.map(row => ({ ...row, total: Number(row.total) }));
  }
}

function sumByMeasure(rows: readonly Row[]): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const { measure, total } of rows) {
    totals[measure] = (totals[measure] ?? 0) + total;
  }
  return totals;
}
