import {
  type Cell,
  type EventsPlan,
  type PlanRows,
  readsPeople,
} from '../../query/language/EventsPlan.ts';
import type { QuestionContext } from '../EventMover.ts';
import { LazyProcess } from '../process/LazyProcess.ts';
import { type Asker, QuestionQueue } from '../process/QuestionQueue.ts';
import { compilePlan } from '../sql/compilePlan.ts';
import { SqliteDialect } from '../sql/SqliteDialect.ts';
import type { SqliteQuestion } from './sqliteProcess.ts';

/** Runs queries on the journal itself, without a column store. */
export class JournalQueries {
  readonly #process: LazyProcess<SqliteQuestion>;
  readonly #queue = new QuestionQueue({ atOnce: 1 });
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
    {
      groupTypes,
      knowPeople,
    }: Pick<QuestionContext, 'groupTypes' | 'knowPeople'>,
    asker?: Asker,
  ): Promise<PlanRows> {
    if (readsPeople(plan.select)) {
      await knowPeople();
    }
    const dialect = new SqliteDialect(groupTypes);
    const sql = compilePlan(plan, dialect);
    const question = { sql, parameters: dialect.parameters };
    const rows = await this.#queue.run(
      () => this.#process.ask(question, this.#timeoutMs),
      asker,
    );
    return { rows: rows as Cell[][] };
  }

  close(): Promise<void> {
    return this.#process.close();
  }
}
