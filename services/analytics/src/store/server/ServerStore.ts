import {
  ClickHouseLogLevel,
  ClickHouseError,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client';
import { UnavailableError } from '@slipway/service-kit';
import type {
  Cell,
  EventsPlan,
  PlanRows,
} from '../../query/language/Expression.ts';
import type { ErasedIds } from '../../people/ErasedIds.ts';
import type { PeopleRows } from '../../people/storage/PersonStore.ts';
import type { ColumnStore, PlanContext } from '../ColumnStore.ts';
import { QueryTooHeavyError } from '../process/LazyProcess.ts';
import { type Requester, QueryQueue } from '../process/QueryQueue.ts';
import { ClickhouseDialect } from '../sql/ClickhouseDialect.ts';
import { ColumnDeletes } from '../sql/ColumnDeletes.ts';
import { peopleColumns } from '../sql/clickhousePeople.ts';
import {
  groupLimit,
  MAX_RESULT_BYTES,
  schemaOf,
  type TableLayout,
  TABLES,
} from '../sql/clickhouseTables.ts';
import {
  clickhouseInstant,
  clickhouseValue,
  toColumns,
} from '../sql/clickhouseValue.ts';
import { compilePlan } from '../sql/compilePlan.ts';
import type { EventJournal } from '../sqlite/EventJournal.ts';
import type { JournalRange, JournalRow } from '../sqlite/eventRows.ts';

/** Added to the server's own query timeout. */
const GRACE_MS = 5_000;
const INSERT_TIMEOUT_MS = 60_000;
/** Maximum concurrent queries of this service; the server has its own limits. */
const QUERIES_AT_ONCE = 8;
/**
 * Maximum length of a statement in bytes: values are in hexadecimal, too long for the
 * default of 256 KiB.
 */
const LONGEST_STATEMENT = String(4 * 1024 * 1024);

/** The connection to a server, and its limits. */
export interface ServerOptions {
  /** An `http:` or `https:` address. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly layout: TableLayout;
  /** Timeout of a query in milliseconds. */
  readonly timeoutMs: number;
  /** Memory limit of a query in bytes. */
  readonly memoryBytes: number;
  /** Removes duplicates by uuid from every result, even if the server has not merged them yet. */
  readonly isFinal: boolean;
  /** Erased ids, whose events are not moved: another replica may have erased them in the meantime. */
  readonly erased?: ErasedIds;
}

/**
 * Stores events in a ClickHouse server or cluster, which several replicas may share. The
 * server cannot read their journals, so each replica moves its own events before it
 * queries.
 */
export class ServerStore implements ColumnStore {
  readonly engine = 'clickhouse';
  readonly readsJournal = false;
  readonly deletes: ColumnDeletes;
  readonly #layout: TableLayout;
  readonly #erased: ErasedIds | undefined;
  readonly #client: ReturnType<typeof createClient>;
  readonly #queue = new QueryQueue({ atOnce: QUERIES_AT_ONCE });
  readonly #reading: ClickHouseSettings;
  #tables: Promise<void> | undefined;

  constructor(options: ServerOptions) {
    const { url, username, password, timeoutMs } = options;
    this.#layout = { ...options.layout, recognisesBlocks: true };
    this.#erased = options.erased;
    this.deletes = new ColumnDeletes({
      ask: sql => this.#run(sql),
      layout: this.#layout,
    });
    this.#client = createClient({
      url,
      username,
      password,
      application: 'slipway-analytics',
      request_timeout: Math.max(INSERT_TIMEOUT_MS, timeoutMs + GRACE_MS),
      // Failures are thrown to the caller.
      log: { level: ClickHouseLogLevel.OFF },
      compression: { request: true, response: true },
      clickhouse_settings: {
        output_format_json_quote_64bit_integers: 0,
        max_query_size: LONGEST_STATEMENT,
      },
    });
    this.#reading = {
      max_execution_time: timeoutMs / 1_000,
      max_memory_usage: String(options.memoryBytes),
      max_result_bytes: String(MAX_RESULT_BYTES),
      readonly: '2',
      // As in chDB.
      optimize_and_compare_chain: 0,
      cancel_http_readonly_queries_on_client_close: 1,
      ...(options.isFinal && {
        final: 1,
        do_not_merge_across_partitions_select_final: 1,
      }),
    };
  }

  /** Creates missing tables. */
  async start(): Promise<void> {
    this.#tables ??= this.#makeTables();
    try {
      await this.#tables;
    } catch (error) {
      this.#tables = undefined;
      throw error;
    }
  }

  /**
   * Inserts a block with a token by which the server skips rows that it already has: an
   * earlier attempt may have succeeded, partly succeeded, or still be in progress. Blocks
   * with expired tokens are recognised by the positions of their rows.
   */
  async take(
    journal: EventJournal,
    range: JournalRange,
    { isRepeated }: { isRepeated: boolean },
  ): Promise<void> {
    const rows = journal.read(range);
    const held = isRepeated
      ? await this.#held(journal.id, rows)
      : new Set<number>();
    const missing = rows.filter(({ seq }) => !held.has(seq));
    const kept = this.#erased?.rows(missing) ?? missing;
    if (kept.length > 0) {
      await this.#insert(
        TABLES.events,
        kept.map(row => toColumns(row, journal.id)),
        `${journal.id} ${range.first} ${range.last}`,
      );
    }
  }

  async putPeople(people: PeopleRows): Promise<void> {
    await this.start();
    for (const { table, rows } of peopleColumns(people)) {
      await this.#insert(table, rows);
    }
  }

  async query(
    plan: EventsPlan,
    { groupTypes, copyPeople }: Omit<PlanContext, 'look'>,
    requester?: Requester,
  ): Promise<PlanRows> {
    await this.start();
    const people = await copyPeople();
    const dialect = new ClickhouseDialect({ groupTypes, ...people });
    const sql = compilePlan(plan, dialect);
    const rows = await this.#queue.run(
      () =>
        this.#ask(sql, {
          settings: { ...this.#reading, ...groupLimit(plan.select) },
          signal: requester?.signal,
        }),
      requester,
    );
    return { rows };
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #makeTables(): Promise<void> {
    for (const statement of schemaOf(this.#layout)) {
      await this.#run(statement);
    }
  }

  /** Returns the positions of a block's rows that the server already has. */
  async #held(
    journal: string,
    rows: readonly JournalRow[],
  ): Promise<Set<number>> {
    if (rows.length === 0) {
      return new Set();
    }
    const between = (column: 'timestamp' | 'created_at') => {
      const values = rows.map(row => row[column]);
      const least = values.reduce((a, b) => Math.min(a, b), Infinity);
      const most = values.reduce((a, b) => Math.max(a, b), -Infinity);
      return `${column} BETWEEN ${clickhouseInstant(least)} AND ${clickhouseInstant(most)}`;
    };
    const first = rows[0].seq;
    const last = rows[rows.length - 1].seq;
    const found = await this.#ask(
      `SELECT seq FROM ${TABLES.events} WHERE journal = ${clickhouseValue(
        journal,
      )} AND seq BETWEEN ${first} AND ${last} AND ${between(
        'timestamp',
      )} AND ${between('created_at')}`,
    );
    return new Set(found.map(([seq]) => Number(seq)));
  }

  async #insert(
    table: string,
    values: readonly object[],
    token?: string,
  ): Promise<void> {
    await failing(
      this.#client.insert({
        table,
        values,
        format: 'JSONEachRow',
        clickhouse_settings: {
          async_insert: 0,
          // On a cluster, respond only once the shards have the rows.
          distributed_foreground_insert: 1,
          // Events may be from any year; a limit would let one sender block all pending events.
          max_partitions_per_insert_block: '0',
          ...(token !== undefined && { insert_deduplication_token: token }),
        },
      }),
    );
  }

  /** Runs a statement that changes data or reads system tables. */
  #run(sql: string): Promise<Cell[][]> {
    return /^SELECT/.test(sql)
      ? this.#ask(sql)
      : failing(this.#client.command({ query: sql })).then(() => []);
  }

  async #ask(
    query: string,
    options: { settings?: ClickHouseSettings; signal?: AbortSignal } = {},
  ): Promise<Cell[][]> {
    const { settings, signal } = options;
    const answer = async () => {
      const result = await this.#client.query({
        query,
        format: 'JSONCompact',
        ...(settings && { clickhouse_settings: settings }),
        ...(signal && { abort_signal: signal }),
      });
      return result.json<Cell[]>();
    };
    const { data } = await failing(answer(), signal);
    return data as unknown as Cell[][];
  }
}

/**
 * Runs work.
 * @throws the error for the caller that corresponds to its failure.
 */
async function failing<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw signal?.aborted
      ? new UnavailableError('The caller is no longer waiting for the answer')
      : failureOf(error);
  }
}

const TOO_HEAVY: ReadonlySet<string | undefined> = new Set([
  'MEMORY_LIMIT_EXCEEDED',
  'TIMEOUT_EXCEEDED',
  'TOO_BIG_AST',
  'TOO_MANY_ROWS_OR_BYTES',
  'TOO_SLOW',
]);

/**
 * Converts a server failure to an error: a query that is too heavy is the caller's
 * fault; a server that is unreachable or rejects this service is not.
 */
function failureOf(cause: unknown): Error {
  if (cause instanceof ClickHouseError) {
    return TOO_HEAVY.has(cause.type)
      ? new QueryTooHeavyError(cause)
      : new UnavailableError('The event store refused a statement', { cause });
  }
  return new UnavailableError('The event store is not responding', { cause });
}
