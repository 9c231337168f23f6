import type {
  Cell,
  EventsPlan,
  PlanRows,
} from '../../query/language/Expression.ts';
import type { PlanContext } from '../ColumnStore.ts';
import { LazyProcess } from '../process/LazyProcess.ts';
import { type Requester, QueryQueue } from '../process/QueryQueue.ts';
import { compilePlan } from '../sql/compilePlan.ts';
import { SqliteDialect } from '../sql/SqliteDialect.ts';
import type { CountedArrivals, CountRequest } from './countArrivals.ts';
import type { CountMessage, SqliteRequest } from './sqliteProcess.ts';

/** Runs queries on the journal itself, without a column store. */
export class JournalQueries {
  readonly #process: LazyProcess<SqliteRequest>;
  readonly #queue = new QueryQueue({ atOnce: 1 });
  readonly #timeoutMs: number;

  constructor(options: {
    filename: string;
    timeoutMs: number;
    idleMs: number;
  }) {
    this.#timeoutMs = options.timeoutMs;
    this.#process = new LazyProcess({
      script: new URL('./sqliteProcess.ts', import.meta.url),
      options: { filename: options.filename },
      idleMs: options.idleMs,
    });
  }

  async query(
    plan: EventsPlan,
    { groupTypes, copyPeople }: Pick<PlanContext, 'groupTypes' | 'copyPeople'>,
    requester?: Requester,
  ): Promise<PlanRows> {
    await copyPeople();
    const dialect = new SqliteDialect(groupTypes);
    const sql = compilePlan(plan, dialect);
    const { parameters } = dialect;
    const request = { kind: 'query', sql, parameters } as const;
    const rows = await this.#queue.run(
      () => this.#process.ask(request, this.#timeoutMs),
      requester,
    );
    return { rows: rows as Cell[][] };
  }

  /** Counts events of the journal while no query runs on it. */
  async count(request: CountRequest): Promise<CountedArrivals> {
    const message = {
      kind: 'count',
      ...request,
      keptSince: [...request.keptSince],
    } as const;
    const { upTo, observed } = (await this.#queue.run(
      () => this.#process.ask(message, this.#timeoutMs),
      { lane: 'count' },
    )) as CountMessage;
    return {
      upTo,
      observed: observed.map(each => ({ ...each, days: new Map(each.days) })),
    };
  }

  close(): Promise<void> {
    return this.#process.close();
  }
}
