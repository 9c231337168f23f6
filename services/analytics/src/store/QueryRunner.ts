import { UnavailableError } from '@slipway/service-kit';
import type { PeopleCopies } from '../people/PeopleCopies.ts';
import type { EventsPlan, PlanRows } from '../query/language/Expression.ts';
import { outOfReach } from './EventDeletes.ts';
import type { ColumnStore, PlanContext } from './ColumnStore.ts';
import type { Columns } from './EventMover.ts';
import type { StoreViews } from './StoreViews.ts';
import { ProcessEndedError } from './process/LazyProcess.ts';
import type { Requester } from './process/QueryQueue.ts';
import type { EventJournal } from './sqlite/EventJournal.ts';
import type { JournalQueries } from './sqlite/JournalQueries.ts';

interface QueryRunnerOptions {
  journal: EventJournal;
  queries: JournalQueries;
  people: PeopleCopies | undefined;
  views: StoreViews;
  /** Returns undefined while queries only read the journal. */
  columns: () => Columns | undefined;
  /** Called with the reason if the journal takes over. */
  onFallBack: (error: Error) => void;
}

/**
 * Runs queries on the column store, or on the journal if there is none. If the engine
 * cannot run and has never received events, the journal takes over.
 */
export class QueryRunner {
  readonly #options: QueryRunnerOptions;

  constructor(options: QueryRunnerOptions) {
    this.#options = options;
  }

  /**
   * Runs a query over everything appended before the call.
   * @param requester - the caller; its queries wait their turn while the engine is busy.
   * @returns one row more than `plan.limit` if there are more.
   * @throws UnavailableError if the engine does not respond.
   * @throws QueryTooHeavyError if it takes too long or too much memory.
   */
  async run(plan: EventsPlan, requester?: Requester): Promise<PlanRows> {
    const { journal, queries, views, onFallBack } = this.#options;
    const moved = this.#options.columns();
    if (moved) {
      const { columns, mover } = moved;
      const context = {
        views,
        ...(await this.#peopleOf(plan, columns)),
      };
      if (!columns.readsJournal) {
        await mover.move();
      }
      try {
        return await askTwice(() => columns.query(plan, context, requester));
      } catch (error) {
        if (!(error instanceof ProcessEndedError)) {
          throw error;
        }
        if (journal.moves.everBegun()) {
          throw new UnavailableError('The event store is not running', {
            cause: error,
          });
        }
        onFallBack(error);
      }
    } else if (journal.moves.everBegun()) {
      throw outOfReach();
    }
    try {
      const context = await this.#peopleOf(plan);
      return await askTwice(() => queries.query(plan, context, requester));
    } catch (error) {
      throw error instanceof ProcessEndedError
        ? new UnavailableError('Queries are temporarily unavailable', {
            cause: error,
          })
        : error;
    }
  }

  /** Prepares the persons for a query. */
  async #peopleOf(
    plan: EventsPlan,
    columns?: ColumnStore,
  ): Promise<Omit<PlanContext, 'views'>> {
    return (
      (await this.#options.people?.prepare(plan, columns)) ?? {
        groupTypes: [],
        copyPeople: async () => ({ hasSharedIds: false }),
      }
    );
  }
}

/** Retries once if the engine's process has died, which restarts it. */
async function askTwice<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ProcessEndedError)) {
      throw error;
    }
    return ask();
  }
}
