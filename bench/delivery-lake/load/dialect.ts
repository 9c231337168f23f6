import type { Knex } from 'knex';

/** What the two databases write differently. */
export interface Dialect {
  /** Numbers from 0, as `k`, to be selected from. */
  series(count: number): string;
  /** Forty hexadecimal digits of a number. */
  hex(number: string): string;
  /** `durationBucket` of the lake, of milliseconds. */
  bucket(milliseconds: string): string;
  /** A day of the lake, like 20261121, of a number of days since the epoch. */
  day(days: string): string;
  /** Creates a table of which nothing is to survive. */
  scratch: string;
}

const sqlite: Dialect = {
  series: count =>
    `(WITH RECURSIVE n(k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM n WHERE k < ${
      count - 1
    }) SELECT k FROM n) AS n`,
  hex: number => `printf('%040x', ${number})`,
  bucket: milliseconds =>
    `CAST(floor(log2(${milliseconds} + 1) * 32) AS INTEGER)`,
  day: days =>
    `CAST(strftime('%Y%m%d', (${days}) * 86400, 'unixepoch') AS INTEGER)`,
  scratch: 'CREATE TABLE',
};

const postgres: Dialect = {
  series: count =>
    `(SELECT k::bigint AS k FROM generate_series(0, ${count - 1}) AS k) AS n`,
  hex: number => `lpad(to_hex(${number}), 40, '0')`,
  bucket: milliseconds =>
    `floor(ln((${milliseconds} + 1)::float8) / ln(2::float8) * 32)::int`,
  day: days => `to_char(DATE '1970-01-01' + (${days})::int, 'YYYYMMDD')::int`,
  scratch: 'CREATE UNLOGGED TABLE',
};

/** How this database writes it. */
export function dialectOf(knex: Knex): Dialect {
  return knex.client.config.client === 'pg' ? postgres : sqlite;
}
