import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '@slipway/service-kit';
import type { AnalyticsEvent } from '../../events/AnalyticsEvent.ts';
import type {
  Cell,
  EventsPlan,
  PlanRows,
} from '../../query/language/EventsPlan.ts';
import type { ColumnStore } from '../EventMover.ts';
import type { EventJournal } from '../sqlite/EventJournal.ts';
import type { JournalRange } from '../sqlite/eventRows.ts';
import { LazyProcess, QueryTooHeavyError } from '../process/LazyProcess.ts';
import { type Asker, QuestionQueue } from '../process/QuestionQueue.ts';
import { clickhouseDialect, EVENTS_TABLE } from '../sql/ClickhouseDialect.ts';
import { compilePlan } from '../sql/compilePlan.ts';
import type { ChdbOptions, ChdbQuestion } from './chdbProcess.ts';

/** Beyond the time that the engine itself allows a query. */
const GRACE_MS = 5_000;
const INSERT_TIMEOUT_MS = 60_000;
/** Queries at once: one that is heavy does not hold up the other. */
const READERS = 2;

/** chDB in a process of its own. */
export class ChdbStore implements ColumnStore {
  readonly #process: LazyProcess<ChdbQuestion>;
  readonly #queue = new QuestionQueue({ atOnce: READERS });
  readonly #timeoutMs: number;
  readonly #settings: string;
  #questions = 0;

  /** @param options.timeoutMs - of a query, which also may take half of `memoryBytes`. */
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
      'output_format_json_quote_64bit_integers = 0',
      'readonly = 1',
    ].join(', ');
    this.#process = new LazyProcess({
      script: new URL('./chdbProcess.ts', import.meta.url),
      options: { ...rest, readers: READERS } satisfies ChdbOptions,
      idleMs,
    });
  }

  /** The id of the process while it runs. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  async insert(events: readonly AnalyticsEvent[]): Promise<void> {
    await this.#ask({ kind: 'insert', events }, INSERT_TIMEOUT_MS);
  }

  async take({ filename }: EventJournal, range: JournalRange): Promise<void> {
    const { first, last } = range;
    await this.#ask(
      { kind: 'take', filename, range: { first, last } },
      INSERT_TIMEOUT_MS,
    );
  }

  async start(): Promise<void> {
    await this.#read('statement', 'SELECT 1');
  }

  async missing(events: readonly AnalyticsEvent[]): Promise<AnalyticsEvent[]> {
    const arrivals = events.map(({ createdAt }) => createdAt);
    const times = events.map(({ timestamp }) => timestamp);
    const between = (column: string, values: readonly number[]) =>
      `toUnixTimestamp64Milli(${column}) BETWEEN ${clickhouseDialect.value(
        values.reduce((least, value) => Math.min(least, value)),
      )} AND ${clickhouseDialect.value(
        values.reduce((most, value) => Math.max(most, value)),
      )}`;
    const rows = await this.#read(
      'statement',
      `SELECT toString(project_id), toString(uuid) FROM ${EVENTS_TABLE} WHERE ${between(
        'created_at',
        arrivals,
      )} AND ${between('timestamp', times)}`,
    );
    const held = new Set(rows.map(row => row.join('\n')));
    return events.filter(
      ({ projectId, uuid }) => !held.has(`${projectId}\n${uuid}`),
    );
  }

  async query(plan: EventsPlan, asker?: Asker): Promise<PlanRows> {
    const mark = `question ${(this.#questions += 1)}`;
    const sql = `/* ${mark}. */ ${compilePlan(plan, clickhouseDialect)}`;
    const rows = await this.#queue.run(async () => {
      const end = () => void this.#endQuery(mark);
      asker?.signal?.addEventListener('abort', end);
      try {
        return await this.#read('query', sql);
      } finally {
        asker?.signal?.removeEventListener('abort', end);
      }
    }, asker);
    return { rows };
  }

  /** Ends a query that nobody waits for; one that has ended by then is none. */
  async #endQuery(mark: string): Promise<void> {
    // The statement holds the mark as well, and must not find itself.
    const sql = `KILL QUERY WHERE startsWith(query, ${clickhouseDialect.value(
      `/* ${mark}. */`,
    )}) ASYNC`;
    await this.#ask({ kind: 'statement', sql }).catch(() => undefined);
  }

  async deleteBefore(before: number, signal: AbortSignal): Promise<void> {
    await deleteRows(clickhouseDialect.between({ before }), {
      ask: sql => this.#ask({ kind: 'statement', sql }),
      signal,
    });
  }

  close(): Promise<void> {
    return this.#process.close();
  }

  #read(kind: 'query' | 'statement', sql: string): Promise<Cell[][]> {
    return this.#ask({ kind, sql: `${sql}\nSETTINGS ${this.#settings}` });
  }

  async #ask(
    question: ChdbQuestion,
    timeoutMs = this.#timeoutMs + GRACE_MS,
  ): Promise<Cell[][]> {
    try {
      return (await this.#process.ask(question, timeoutMs)) as Cell[][];
    } catch (cause) {
      if (question.kind !== 'query' && cause instanceof QueryTooHeavyError) {
        // Nobody who asks can make our own statements lighter.
        throw new UnavailableError('The event store is overloaded', {
          cause,
        });
      }
      throw cause;
    }
  }
}

const LOOK_MS = 1_000;

/**
 * Deletes the rows that meet a condition. The engine writes their parts anew behind
 * everything else, and goes on with it at its next start where it is ended meanwhile:
 * asking whether it is done keeps it from being ended as idle.
 *
 * @param options.ask - runs a statement.
 * @param options.signal - ends the wait; the engine deletes them nevertheless.
 * @throws Error when the engine fails at it, e.g. on a full disk.
 */
async function deleteRows(
  condition: string,
  options: {
    ask: (sql: string) => Promise<Cell[][]>;
    signal: AbortSignal;
  },
): Promise<void> {
  const { ask, signal } = options;
  const [database, table] = EVENTS_TABLE.split('.');
  await ask(
    `ALTER TABLE ${EVENTS_TABLE} DELETE WHERE ${condition} SETTINGS mutations_sync = 0`,
  );
  for (;;) {
    const [[left, fault]] = await ask(
      `SELECT count(), max(latest_fail_reason) FROM system.mutations WHERE database = '${database}' AND table = '${table}' AND NOT is_done SETTINGS output_format_json_quote_64bit_integers = 0`,
    );
    if (fault) {
      throw new Error(`The engine cannot delete events: ${fault}`);
    }
    if (left === 0 || signal.aborted) {
      return;
    }
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}
