import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type { Subject } from '../ledger/Contribution.ts';
import { scopeTable } from '../ledger/scopeTable.ts';
import { selectRows } from '../ledger/selectRows.ts';
import { ALL_TEAMS } from '../people/team.ts';
import type { Period } from '../periods/Period.ts';
import { refreshReleases, REST } from './DatabaseReleaseBlocks.ts';
import type { Releases, TeamDays } from './Releases.ts';

/** {@link Releases} for a minimum above 1, from blocks that follow the data. */
export class DatabaseReleases implements Releases {
  readonly #database: Database;
  readonly minimumGroupSize: number;

  constructor(options: { database: Database; minimumGroupSize: number }) {
    this.#database = options.database;
    this.minimumGroupSize = options.minimumGroupSize;
  }

  async within(
    subject: Subject,
    options: { team: string; periods: readonly Period[] },
  ): Promise<TeamDays[][]> {
    const { team, periods } = options;
    await this.#refresh();
    const { knex } = this.#database;
    const spans = await spansOfBlocks(knex, { subject, team, periods });
    if (!spans.some(span => span.team === REST)) {
      return periods.map((_, key) => spans.filter(span => span.key === key));
    }
    const states: { team: string; last_end: number | null }[] = await knex(
      'release_states',
    )
      .select('team', 'last_end')
      .where({ subject });
    return periods.map((_, key) =>
      spans
        .filter(span => span.key === key)
        .flatMap(span => (span.team === REST ? restOf(span, states) : [span])),
    );
  }

  async #refresh(): Promise<void> {
    const dirty = await this.#database
      .knex('release_states')
      .whereNotNull('dirty_from')
      .first('team');
    if (dirty) {
      const { minimumGroupSize: minimum } = this;
      await this.#database.transaction(trx =>
        refreshReleases(trx, { minimum, client: this.#database.client }),
      );
    }
  }
}

/** From the first to the last block that lies wholly within each period, by team. */
async function spansOfBlocks(
  knex: Knex,
  options: { subject: string; team: string; periods: readonly Period[] },
): Promise<(TeamDays & { key: number })[]> {
  const { subject, team, periods } = options;
  const { sql, bindings } = scopeTable(
    periods.map(({ start, end }, key) => ({
      key,
      team,
      from: start,
      to: end - 1,
    })),
  );
  const rows = await selectRows<{
    key: number;
    team: string;
    first: number;
    last: number;
  }>(
    knex,
    `${sql} SELECT scope.key AS key, b.team AS team, MIN(b.start_day) AS first, MAX(b.end_day) AS last
     FROM scope CROSS JOIN release_blocks b
     WHERE b.subject = ? ${team === ALL_TEAMS ? '' : 'AND b.team = scope.team'}
       AND b.end_day BETWEEN scope.first AND scope.last AND b.start_day >= scope.first
     GROUP BY scope.key, b.team`,
    [...bindings, subject],
  );
  return rows.map(row => ({
    key: row.key,
    team: row.team,
    from: row.first,
    to: row.last,
  }));
}

/** What teams have not released themselves, within the days that the rest releases. */
function restOf(
  { from, to }: TeamDays,
  states: readonly { team: string; last_end: number | null }[],
): TeamDays[] {
  return states
    .filter(({ team }) => team !== REST)
    .map(({ team, last_end: last }) => ({
      team,
      from: last === null ? from : Math.max(from, last + 1),
      to,
    }))
    .filter(days => days.from <= days.to);
}
