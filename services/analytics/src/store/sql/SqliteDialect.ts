import type {
  Aggregate,
  Call,
  ColumnName,
  Kind,
  Property,
  PropertyOwner,
  Select,
  Value,
} from '../../query/language/Expression.ts';
import { GROUP_OWNERS } from '../../query/language/Expression.ts';
import type { AggregateName } from '../../query/language/functionNames.ts';
import { compileList } from './compilePlan.ts';
import type { Dialect, SourceScope } from './Dialect.ts';
import { writeSqliteCall } from './sqliteCalls.ts';

/** Names that a JSON path can contain unquoted; other properties are found by comparing all names. */
const PLAIN_NAME = /^[\p{L}\p{N}\p{M} $_.:@/+-]+$/u;

/** Aggregates built into SQLite; the engine's process defines the others. */
const AGGREGATES: Readonly<
  Record<Exclude<AggregateName, 'count' | 'countDistinct'>, string>
> = {
  sum: 'sum',
  avg: 'avg',
  min: 'min',
  max: 'max',
  quantile: 'f_quantile',
  argMin: 'f_arg_min',
  argMax: 'f_arg_max',
  first: 'f_first',
  last: 'f_last',
  groupArray: 'f_group_array',
  groupUniqArray: 'f_group_uniq_array',
};

/** Writes SQLite's SQL, with named parameters for values from users; one instance per statement. */
export class SqliteDialect implements Dialect {
  readonly #groupTypes: readonly string[];
  readonly #values: Map<string, Value>;
  readonly #owners = new Set<PropertyOwner>();
  #readsPerson = false;

  /**
   * @param groupTypes - the group types of the project, by number.
   * @param values - the parameters of the statement so far.
   */
  constructor(
    groupTypes: readonly string[] = [],
    values = new Map<string, Value>(),
  ) {
    this.#groupTypes = groupTypes;
    this.#values = values;
  }

  /** The values of the statement's parameters, by name. */
  get parameters(): Record<string, Value> {
    return Object.fromEntries(this.#values);
  }

  source(_scope: SourceScope): string {
    const joins = this.#joins();
    return joins.length === 0
      ? 'events'
      : `(SELECT ${['e.*', ...joins.map(({ select }) => select)].join(
          ', ',
        )} FROM events AS e ${joins.map(({ from }) => from).join(' ')})`;
  }

  persons(projectId: string): string {
    return `(SELECT person, properties AS person_properties FROM persons WHERE project_id = ${this.value(projectId)})`;
  }

  value(value: Value, _kind?: Kind): string {
    const name = `p${this.#values.size}`;
    this.#values.set(name, value);
    return `@${name}`;
  }

  column(name: ColumnName): string {
    this.#readsPerson ||= name === 'person';
    const group = GROUP_OWNERS.findIndex(each => each === name);
    return group < 0
      ? name
      : `nullif(${this.#groupKey('properties', group)}, '')`;
  }

  period({ after, before }: { after?: number; before: number }): string[] {
    return [
      ...(after === undefined ? [] : [`timestamp > ${this.value(after)}`]),
      `timestamp < ${this.value(before)}`,
    ];
  }

  property({ path, as, owner = 'event' }: Property): string {
    this.#owners.add(owner);
    const of = owner === 'event' ? 'properties' : `${owner}_properties`;
    const { type, value, json } = this.#lookUp(of, path);
    return as === 'text'
      ? `CASE ${type} WHEN 'text' THEN ${value} WHEN 'null' THEN NULL ELSE ${json} END`
      : `CASE WHEN ${type} IN ('integer', 'real') THEN CAST(${value} AS REAL) END`;
  }

  call(call: Call, args: readonly string[]): string {
    return writeSqliteCall(call, args);
  }

  aggregate(
    { function: name, level }: Aggregate,
    { args, when }: { args: readonly string[]; when?: string },
  ): string {
    const filter = when === undefined ? '' : ` FILTER (WHERE ${when})`;
    if (typeof name === 'object') {
      const options = this.value(JSON.stringify(name));
      return `f_${name.kind}(${[...args, options].join(', ')})`;
    }
    if (name === 'count') {
      return `count(${args[0] ?? '*'})${filter}`;
    }
    if (name === 'countDistinct') {
      return `count(DISTINCT ${args[0]})${filter}`;
    }
    const parameters = level === undefined ? [] : [this.value(level)];
    return `${AGGREGATES[name]}(${[...args, ...parameters].join(', ')})${filter}`;
  }

  /** Uses a new dialect, so that only what the inner query reads is joined. */
  list(select: Select): string {
    return compileList(
      select,
      new SqliteDialect(this.#groupTypes, this.#values),
    );
  }

  /** Writes the texts as one parameter: the number of parameters per statement is limited. */
  texts(values: readonly string[]): string {
    return `(SELECT value FROM json_each(${this.value(JSON.stringify(values))}))`;
  }

  each(rows: string, { count, list }: { count: number; list: number }): string {
    const columns = Array.from({ length: count }, (_, index) =>
      index === list ? `i.value AS c${index}` : `r.c${index} AS c${index}`,
    );
    return `SELECT ${columns.join(', ')} FROM (${rows}) AS r, json_each(r.c${list}) AS i`;
  }

  #joins(): { from: string; select: string }[] {
    const person = 'ifNull(o.person, e.distinct_id)';
    const groups = GROUP_OWNERS.flatMap((owner, index) => {
      if (!this.#owners.has(owner)) {
        return [];
      }
      const named = this.value(this.#groupTypes[index] ?? '');
      const g = `g${index}`;
      return [
        {
          from: `LEFT JOIN groups AS ${g} ON ${g}.project_id = e.project_id AND ${g}.type = ${named} AND ${g}.key = ${this.#groupKey('e.properties', index)}`,
          select: `${g}.properties AS ${owner}_properties`,
        },
      ];
    });
    return [
      ...(this.#readsPerson || this.#owners.has('person')
        ? [
            {
              from: 'LEFT JOIN person_ids AS o ON o.project_id = e.project_id AND o.distinct_id = e.distinct_id',
              select: `${person} AS person`,
            },
          ]
        : []),
      ...(this.#owners.has('person')
        ? [
            {
              from: `LEFT JOIN persons AS p ON p.project_id = e.project_id AND p.person = ${person}`,
              select: 'p.properties AS person_properties',
            },
          ]
        : []),
      ...groups,
    ];
  }

  /** Writes the key of an event's group as text. */
  #groupKey(properties: string, index: number): string {
    const type = this.value(this.#groupTypes[index] ?? '');
    return `(SELECT CAST(value AS TEXT) FROM json_each(${properties}, '$."$groups"') WHERE key = ${type} AND type IN ('text', 'integer', 'real'))`;
  }

  #lookUp(
    properties: string,
    path: readonly string[],
  ): { type: string; value: string; json: string } {
    if (path.every(name => PLAIN_NAME.test(name))) {
      const inner = path.map(name => `."${name}"`).join('');
      const place = this.value(`$${inner}`);
      return {
        type: `json_type(${properties}, ${place})`,
        value: `json_extract(${properties}, ${place})`,
        json: `${properties} -> ${place}`,
      };
    }
    if (path.length > 1) {
      const of = (what: string) =>
        `f_inner(${properties}, ${this.value(JSON.stringify(path))}, '${what}')`;
      return { type: of('type'), value: of('value'), json: of('json') };
    }
    const find = (what: string) =>
      `(SELECT ${what} FROM json_each(${properties}) WHERE key = ${this.value(
        path[0],
      )})`;
    return {
      type: find('type'),
      value: find('value'),
      // The value of an object or array is already JSON; true and false are 1 and 0.
      json: find(
        "CASE type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE CAST(value AS TEXT) END",
      ),
    };
  }
}
