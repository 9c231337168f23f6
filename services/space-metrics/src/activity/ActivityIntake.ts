import { ServiceError } from '@slipway/service-kit';
import type { ActivityEvent } from './ActivityEvent.ts';
import type { DatabaseActivityStore } from './storage/DatabaseActivityStore.ts';

/** What became of one element of a batch. */
export interface ItemResult {
  id?: string;
  status: 'accepted' | 'duplicate' | 'rejected';
  error?: { message: string; field?: string };
}

/** What is answered to a batch; an element that is rejected keeps none of the others out. */
export interface BatchResult {
  /** `success`, or `partial` where an element was rejected. */
  status: string;
  accepted: number;
  duplicates: number;
  rejected: number;
  /** One for each element, in their order. */
  results: ItemResult[];
}

/** Takes batches in, element by element in what is wrong, as one in what is stored. */
export class ActivityIntake {
  readonly #store: Pick<DatabaseActivityStore, 'add'>;

  constructor(store: Pick<DatabaseActivityStore, 'add'>) {
    this.#store = store;
  }

  /** @param read - makes an event of an element, or throws a ServiceError. */
  async take(
    items: readonly unknown[],
    read: (item: unknown) => Promise<ActivityEvent>,
  ): Promise<BatchResult> {
    const outcomes = await Promise.all(items.map(item => attempt(item, read)));
    const events = outcomes.flatMap(({ event }) => event ?? []);
    const isNew = events.length > 0 ? await this.#store.add(events) : [];
    let next = 0;
    const results = outcomes.map(({ event, rejection }): ItemResult => {
      if (!event) {
        return rejection!;
      }
      const status = isNew[next] ? 'accepted' : 'duplicate';
      next += 1;
      return { id: event.id, status };
    });
    const count = (status: ItemResult['status']) =>
      results.filter(result => result.status === status).length;
    const rejected = count('rejected');
    return {
      status: rejected === 0 ? 'success' : 'partial',
      accepted: count('accepted'),
      duplicates: count('duplicate'),
      rejected,
      results,
    };
  }
}

async function attempt(
  item: unknown,
  read: (item: unknown) => Promise<ActivityEvent>,
): Promise<{ event?: ActivityEvent; rejection?: ItemResult }> {
  try {
    return { event: await read(item) };
  } catch (error) {
    if (!(error instanceof ServiceError)) {
      throw error;
    }
    const { message, field } = error.fault;
    const id = (item as { id?: unknown } | null)?.id;
    return {
      rejection: {
        ...(typeof id === 'string' && { id }),
        status: 'rejected',
        error: { message, ...(field && { field }) },
      },
    };
  }
}
