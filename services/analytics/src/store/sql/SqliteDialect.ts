import type { TimeUnit, Value } from '../../query/language/EventsPlan.ts';
import type { Dialect } from './compilePlan.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Names that a path of JSON can hold as they are; the others are looked for one by one. */
const PLAIN_NAME = /^[\p{L}\p{N}\p{M} $_.:@/+-]+$/u;

const AGGREGATES = {
  count: (of: string) => `count(${of})`,
  countDistinct: (of: string) => `count(DISTINCT ${of})`,
  sum: (of: string) => `sum(${of})`,
  avg: (of: string) => `avg(${of})`,
  min: (of: string) => `min(${of})`,
  max: (of: string) => `max(${of})`,
} as const;

/** SQLite's SQL, with named parameters for what users send; one for each statement. */
export class SqliteDialect implements Dialect {
  readonly table = 'events';
  readonly parameters: Record<string, Value> = {};
  #values = 0;

  value(value: Value): string {
    const name = `p${this.#values}`;
    this.#values += 1;
    this.parameters[name] = value;
    return `@${name}`;
  }

  column(name: string): string {
    return name;
  }

  between({ after, before }: { after?: number; before: number }): string {
    return [
      ...(after === undefined ? [] : [`timestamp > ${this.value(after)}`]),
      `timestamp < ${this.value(before)}`,
    ].join(' AND ');
  }

  text(name: string): string {
    const { type, value, json } = this.#lookUp(name);
    return `CASE ${type} WHEN 'text' THEN ${value} WHEN 'null' THEN NULL ELSE ${json} END`;
  }

  number(name: string): string {
    const { type, value } = this.#lookUp(name);
    return `CASE WHEN ${type} IN ('integer', 'real') THEN CAST(${value} AS REAL) END`;
  }

  truncate(unit: TimeUnit, milliseconds: string): string {
    const days = `(${milliseconds} / ${DAY_MS})`;
    switch (unit) {
      case 'hour':
        return `(${milliseconds} / ${HOUR_MS}) * ${HOUR_MS}`;
      case 'day':
        return `${days} * ${DAY_MS}`;
      case 'week':
        // 1 January 1970 was a Thursday; weeks begin on Sunday.
        return `(${days} - (${days} + 4) % 7) * ${DAY_MS}`;
      case 'month':
        return `CAST(strftime('%s', ${milliseconds} / 1000, 'unixepoch', 'start of month') AS INTEGER) * 1000`;
      default:
        return unit satisfies never;
    }
  }

  like(
    text: string,
    { pattern, caseless }: { pattern: string; caseless: boolean },
  ): string {
    return `matches_like(${text}, ${this.value(pattern)}, ${caseless ? 1 : 0})`;
  }

  aggregate(name: keyof typeof AGGREGATES, of: string): string {
    return AGGREGATES[name](of);
  }

  #lookUp(name: string): { type: string; value: string; json: string } {
    if (PLAIN_NAME.test(name)) {
      const path = this.value(`$."${name}"`);
      return {
        type: `json_type(properties, ${path})`,
        value: `json_extract(properties, ${path})`,
        json: `properties -> ${path}`,
      };
    }
    const find = (what: string) =>
      `(SELECT ${what} FROM json_each(properties) WHERE key = ${this.value(
        name,
      )})`;
    return {
      type: find('type'),
      value: find('value'),
      // The value of an object or array is its JSON already; true and false are 1 and 0.
      json: find(
        "CASE type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE CAST(value AS TEXT) END",
      ),
    };
  }
}
