import { UnavailableError } from '@slipway/service-kit';
import type {
  Cell,
  EventsPlan,
  PlanRows,
} from '../../query/language/Expression.ts';
import type { ColumnStore, PlanContext } from '../ColumnStore.ts';
import type { EventJournal } from '../sqlite/EventJournal.ts';
import type { JournalRange } from '../sqlite/eventRows.ts';
import { LazyProcess, QueryTooHeavyError } from '../process/LazyProcess.ts';
import { type Requester, QueryQueue } from '../process/QueryQueue.ts';
import { ClickhouseDialect } from '../sql/ClickhouseDialect.ts';
import { moveStatement } from '../sql/clickhouseSource.ts';
import type { PeopleRows } from '../../people/storage/PersonStore.ts';
import { cleanParts, ColumnDeletes } from '../sql/ColumnDeletes.ts';
import { peopleColumns } from '../sql/clickhousePeople.ts';
import { clickhouseValue } from '../sql/clickhouseValue.ts';
import {
  DATABASE,
  groupLimit,
  MAX_RESULT_BYTES,
} from '../sql/clickhouseTables.ts';
import { compilePlan } from '../sql/compilePlan.ts';
import { BACKUP_TIMEOUT_MS, backupFile } from './restoreColumns.ts';
import type { ChdbOptions, ChdbRequest } from './chdbProcess.ts';

/** Added to the engine's own query timeout. */
const GRACE_MS = 5_000;
const INSERT_TIMEOUT_MS = 60_000;
/** Each move leaves a part, and merged parts stay on disk until they are cleaned up. */
const CLEANED_EVERY = 10;
/** Number of concurrent queries, so that a heavy one does not block the others. */
const READERS = 2;

/**
 * The number of times that the engine interprets an expression before it compiles it to machine code.
 * Compiling takes 30 to 130 ms and saves at most a fifth of the time of a query over 400,000 events. The
 * engine's default is three.
 */
const INTERPRETED = 30;

const LATE_COMPILATION = [
  `min_count_to_compile_expression = ${INTERPRETED}`,
  `min_count_to_compile_aggregate_expression = ${INTERPRETED}`,
  `min_count_to_compile_sort_description = ${INTERPRETED}`,
];

/** Runs chDB in a separate process. */
export class ChdbStore implements ColumnStore {
  readonly engine = 'chdb';
  readonly readsJournal = true;
  readonly deletes = new ColumnDeletes({
    ask: sql => this.#ask({ kind: 'statement', sql }),
    cleans: true,
  });
  readonly #process: LazyProcess<ChdbRequest>;
  readonly #queue = new QueryQueue({ atOnce: READERS });
  readonly #timeoutMs: number;
  readonly #settings: string;
  #queries = 0;
  #takes = 0;

  /** @param options.timeoutMs - timeout of a query, which may use at most half of `memoryBytes`. */
  constructor(
    options: Omit<ChdbOptions, 'readers'> & {
      timeoutMs: number;
      idleMs: number;
    },
  ) {
    const { timeoutMs, idleMs, ...rest } = options;
    this.#timeoutMs = timeoutMs;
    this.#settings = [
      `max_execution_time = ${timeoutMs / 1_000}`,
      `max_memory_usage = ${Math.floor(options.memoryBytes / 2)}`,
      `max_result_bytes = ${MAX_RESULT_BYTES}`,
      'output_format_json_quote_64bit_integers = 0',
      // This optimisation compares every pair of conditions, which dominates the time of a
      // funnel with exclusions.
      'optimize_and_compare_chain = 0',
      ...LATE_COMPILATION,
      // Prevents queries from writing; 1 would also prevent reading the journal.
      'readonly = 2',
    ].join(', ');
    this.#process = new LazyProcess({
      script: new URL('./chdbProcess.ts', import.meta.url),
      options: { ...rest, readers: READERS } satisfies ChdbOptions,
      idleMs,
    });
  }

  /** The process id; undefined while the process is not running. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  async take(
    journal: EventJournal,
    { first, last }: JournalRange,
    options: { isRepeated: boolean },
  ): Promise<void> {
    const sql = moveStatement({ journal, first, last }, options);
    await this.#ask({ kind: 'statement', sql }, INSERT_TIMEOUT_MS);
    this.#takes += 1;
    if (this.#takes % CLEANED_EVERY === 0) {
      await cleanParts(each => this.#ask({ kind: 'statement', sql: each }));
    }
  }

  async start(): Promise<void> {
    await this.#ask({ kind: 'statement', sql: 'SELECT 1' });
  }

  async query(
    plan: EventsPlan,
    { look, groupTypes, copyPeople }: PlanContext,
    requester?: Requester,
  ): Promise<PlanRows> {
    const mark = `query ${(this.#queries += 1)}`;
    const rows = await this.#queue.run(
      () =>
        look(async view => {
          const dialect = new ClickhouseDialect({
            view,
            groupTypes,
            ...(await copyPeople()),
          });
          const limits = Object.entries(groupLimit(plan.select)).map(
            ([name, value]) => `, ${name} = '${value}'`,
          );
          const sql = `/* ${mark}. */ ${compilePlan(plan, dialect)}\nSETTINGS ${
            this.#settings
          }${limits.join('')}`;
          const end = () => void this.#endQuery(mark);
          requester?.signal?.addEventListener('abort', end);
          try {
            return await this.#ask({ kind: 'query', sql });
          } finally {
            requester?.signal?.removeEventListener('abort', end);
          }
        }),
      requester,
    );
    return { rows };
  }

  /** Kills a query whose result nobody is waiting for; does nothing if it has already ended. */
  async #endQuery(mark: string): Promise<void> {
    // This statement contains the mark too, and must not match itself.
    const sql = `KILL QUERY WHERE startsWith(query, ${clickhouseValue(
      `/* ${mark}. */`,
    )}) ASYNC`;
    await this.#ask({ kind: 'statement', sql }).catch(() => undefined);
  }

  async putPeople(people: PeopleRows): Promise<void> {
    for (const { table, rows } of peopleColumns(people)) {
      const lines = rows.map(row => JSON.stringify(row)).join('\n');
      await this.#ask({ kind: 'insert', table, lines }, INSERT_TIMEOUT_MS);
    }
  }

  async backUp(directory: string): Promise<void> {
    const sql = `BACKUP DATABASE ${DATABASE} TO ${backupFile(directory)}`;
    await this.#ask({ kind: 'statement', sql }, BACKUP_TIMEOUT_MS);
  }

  close(): Promise<void> {
    return this.#process.close();
  }

  async #ask(
    request: ChdbRequest,
    timeoutMs = this.#timeoutMs + GRACE_MS,
  ): Promise<Cell[][]> {
    try {
      return (await this.#process.ask(request, timeoutMs)) as Cell[][];
    } catch (cause) {
      if (request.kind !== 'query' && cause instanceof QueryTooHeavyError) {
        // The caller cannot simplify this service's own statements.
        throw new UnavailableError('The event store is overloaded', {
          cause,
        });
      }
      throw cause;
    }
  }
}
