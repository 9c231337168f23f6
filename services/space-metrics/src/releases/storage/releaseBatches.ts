import type { Knex } from 'knex';
import { ALL_TEAMS } from '../../people/team.ts';
import { cycleOf } from '../../periods/LocalDay.ts';
import {
  countRevision,
  insertRows,
  jsonList,
  jsonMember,
  selectRows,
} from '../../storage/sql.ts';
import type { Source } from './sources.ts';

/** Unreleased records of a subject, with the number of distinct people in them. */
interface Group {
  subject: string;
  category: string;
  team: string;
  people: number | string | null;
}

/** A group that became a batch. */
interface Batch extends Group {
  batch: number;
}

interface ReleaseOptions {
  /** Records of days before this one, the end of a cycle, are released. */
  until: number;
  /** Minimum number of people; smaller groups are not released yet. */
  minimum: number;
}

/**
 * Releases the waiting records of all cycles up to `until`, cycle by cycle, oldest first. If a
 * cycle has too few people, its records wait for the next. Late records for a cycle that has
 * already been released form their own groups.
 */
export async function releaseSource(
  trx: Knex.Transaction,
  source: Source,
  { until, minimum }: ReleaseOptions,
): Promise<void> {
  const { table, cycleDays } = source;
  const waiting: number[] = await trx(table)
    .whereNull('batch')
    .andWhere('day', '<', until)
    .distinct('day')
    .pluck('day');
  const ends = new Set(waiting.map(day => cycleOf(day, cycleDays).end));
  for (const end of [...ends].sort((a, b) => a - b)) {
    const options = { until: end, minimum };
    await releaseGroups(trx, source, { ...options, pooled: false });
    await releaseGroups(trx, source, { ...options, pooled: true });
  }
}

/**
 * Releases every group that is large enough.
 *
 * @param options.pooled - whether the waiting records of all teams form one group.
 */
async function releaseGroups(
  trx: Knex.Transaction,
  source: Source,
  options: ReleaseOptions & { pooled: boolean },
): Promise<void> {
  const groups = await findGroups(trx, source, options);
  if (groups.length === 0) {
    return;
  }
  const last = await countRevision(trx, 'batches', groups.length);
  const batches = groups.map((group, index) => ({
    ...group,
    batch: last - index,
  }));
  await assignBatches(trx, source, { ...options, batches });
  await storeTotals(trx, source, { ...options, batches });
  if (source.table === 'friction_logs') {
    await storeTexts(trx, { ...options, batches });
  }
}

function findGroups(
  trx: Knex.Transaction,
  { table, subject, category, person, crowd }: Source,
  options: ReleaseOptions & { pooled: boolean },
): Promise<Group[]> {
  const team = options.pooled ? `'${ALL_TEAMS}'` : 'team';
  return selectRows<Group>(
    trx,
    `SELECT * FROM (
       SELECT ${subject} AS subject, ${category} AS category, ${team} AS team,
         ${peopleOf(person, crowd)} AS people
       FROM ${table} WHERE batch IS NULL AND day < ? GROUP BY 1, 2, 3) AS waiting
     WHERE people >= ?`,
    [options.until, options.minimum],
  );
}

/**
 * Returns SQL for the number of distinct people, or for the largest number of people in a single
 * counter if that is greater. SQLite and PostgreSQL have different names for the maximum function.
 */
function peopleOf(person: string, crowd: string): string {
  const known = `COUNT(DISTINCT ${person})`;
  const unknown = `COALESCE(MAX(${crowd}), 0)`;
  return `CASE WHEN ${known} > ${unknown} THEN ${known} ELSE ${unknown} END`;
}

async function assignBatches(
  trx: Knex.Transaction,
  { table, subject, category }: Source,
  options: ReleaseOptions & { pooled: boolean; batches: readonly Batch[] },
): Promise<void> {
  const columns = [
    jsonMember(0, { name: 'number', type: 'INTEGER' }),
    jsonMember(1, { name: 'of_subject', type: 'TEXT' }),
    jsonMember(2, { name: 'of_category', type: 'TEXT' }),
    jsonMember(3, { name: 'of_team', type: 'TEXT' }),
  ];
  const sameTeam = options.pooled ? '' : `AND ${table}.team = found.of_team`;
  await trx.raw(
    `UPDATE ${table} SET batch = found.number
     FROM (SELECT ${columns.join(', ')} FROM ${jsonList(trx)}) AS found
     WHERE ${table}.batch IS NULL AND ${table}.day < ? ${sameTeam}
       AND ${subject} = found.of_subject AND ${category} = found.of_category`,
    [
      JSON.stringify(
        options.batches.map(each => [
          each.batch,
          each.subject,
          each.category,
          each.team,
        ]),
      ),
      options.until,
    ],
  );
}

/**
 * Stores the sums of new batches in the form in which they will be shown, even if the records
 * change.
 */
async function storeTotals(
  trx: Knex.Transaction,
  { table, person, crowd, measures }: Source,
  options: ReleaseOptions & { batches: readonly Batch[] },
): Promise<void> {
  const sums = Object.entries(measures).map(
    ([name, sum]) => `${sum} AS "${name}"`,
  );
  const rows = await selectRows<Record<string, number | string>>(
    trx,
    `SELECT batch, ${peopleOf(person, crowd)} AS people, ${sums.join(', ')}
     FROM ${table} WHERE batch BETWEEN ? AND ? GROUP BY batch`,
    rangeOf(options.batches),
  );
  const found = new Map(options.batches.map(each => [each.batch, each]));
  await insertRows(trx, {
    table: 'released',
    columns: {
      batch: 'INTEGER',
      subject: 'TEXT',
      category: 'TEXT',
      team: 'TEXT',
      day: 'INTEGER',
      people: 'INTEGER',
      measure: 'TEXT',
      total: 'BIGINT',
    },
    rows: rows.flatMap(({ batch, ...totals }) => {
      const { subject, category, team } = found.get(Number(batch))!;
      const people = Number(totals.people);
      return Object.entries(totals)
        .filter(([, total]) => Number(total) !== 0)
        .map(([measure, total]) => [
          Number(batch),
          subject,
          category,
          team,
          options.until - 1,
          people,
          measure,
          Number(total),
        ]);
    }),
  });
  await countReleased(trx, rows, found);
}

/** Increases the exposition's counters by the released amounts. */
async function countReleased(
  trx: Knex.Transaction,
  rows: readonly Record<string, number | string>[],
  batches: ReadonlyMap<number, Batch>,
): Promise<void> {
  const counters = [
    ['released_commits', 'activity.commits'],
    ['released_messages', 'communication.chat_messages'],
  ] as const;
  await insertRows(trx, {
    table: 'tallies',
    columns: { name: 'TEXT', team: 'TEXT', total: 'BIGINT' },
    rows: counters.flatMap(([name, measure]) =>
      rows
        .filter(row => Number(row[measure] ?? 0) > 0)
        .map(row => [
          name,
          batches.get(Number(row.batch))!.team,
          Number(row[measure]),
        ]),
    ),
    then: `ON CONFLICT (name, team)
      DO UPDATE SET total = tallies.total + excluded.total`,
  });
}

/**
 * Stores only texts that at least as many people as the minimum group size wrote, apart from case and
 * surrounding white space.
 */
async function storeTexts(
  trx: Knex.Transaction,
  options: ReleaseOptions & { batches: readonly Batch[] },
): Promise<void> {
  await trx.raw(
    `INSERT INTO released_texts (batch, description)
     SELECT batch, MIN(TRIM(description)) FROM friction_logs
     WHERE batch BETWEEN ? AND ?
     GROUP BY batch, LOWER(TRIM(description))
     HAVING COUNT(DISTINCT person) >= ?`,
    [...rangeOf(options.batches), options.minimum],
  );
}

function rangeOf(batches: readonly Batch[]): [number, number] {
  const numbers = batches.map(({ batch }) => batch);
  return [Math.min(...numbers), Math.max(...numbers)];
}
