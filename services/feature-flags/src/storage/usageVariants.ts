import { chunksOf } from '@slipway/service-kit';
import type { Knex } from 'knex';

// Queries of the table of variants that applications received, by hour.

/** Rows in one statement, within the limits of both databases. */
const CHUNK = 500;

/** Counts by variant name. */
export type VariantCounts = Readonly<Record<string, number>>;

/** The variants that one application got within one span. */
interface VariantUsage {
  readonly flag: string;
  readonly environment: string;
  /** Only usage by `hour` is stored. */
  readonly span: string;
  /** Milliseconds since the Unix epoch. */
  readonly startsAt: number;
  readonly appName: string;
  readonly variants?: VariantCounts;
}

interface VariantRow {
  app_name: string;
  environment: string;
  variant: string;
  count: number | string;
}

/** Adds the variants of records of hours to the stored counts. */
export async function addVariants(
  trx: Knex.Transaction,
  records: readonly VariantUsage[],
): Promise<void> {
  const rows = records.flatMap(
    ({ flag, environment, span, startsAt, appName, variants = {} }) =>
      span === 'hour'
        ? Object.entries(variants).map(([variant, count]) => ({
            flag_name: flag,
            environment,
            starts_at: startsAt,
            app_name: appName,
            variant,
            count,
          }))
        : [],
  );
  for (const chunk of chunksOf(rows, CHUNK)) {
    await trx('usage_variants')
      .insert(chunk)
      .onConflict([
        'flag_name',
        'environment',
        'starts_at',
        'app_name',
        'variant',
      ])
      .merge({
        count: trx.raw('?? + ??', ['usage_variants.count', 'excluded.count']),
      });
  }
}

/** Reads the variants of a flag since a time. @returns a lookup by application and environment. */
export async function readVariants(
  knex: Knex,
  { flag, from }: { flag: string; from: number },
): Promise<
  (use: Pick<VariantRow, 'app_name' | 'environment'>) => VariantCounts
> {
  const rows = await knex('usage_variants')
    .where({ flag_name: flag })
    .where('starts_at', '>=', from)
    .groupBy('app_name', 'environment', 'variant')
    .orderBy('variant')
    .sum({ count: 'count' })
    .select<VariantRow[]>('app_name', 'environment', 'variant');
  const byUse = Map.groupBy(rows, keyOf);
  return use =>
    Object.fromEntries(
      (byUse.get(keyOf(use)) ?? []).map(({ variant, count }) => [
        variant,
        Number(count),
      ]),
    );
}

function keyOf(use: Pick<VariantRow, 'app_name' | 'environment'>): string {
  return JSON.stringify([use.app_name, use.environment]);
}

/** Deletes the variants of hours before a time. */
export async function purgeVariants(
  trx: Knex.Transaction,
  before: number,
): Promise<void> {
  await trx('usage_variants').where('starts_at', '<', before).delete();
}
