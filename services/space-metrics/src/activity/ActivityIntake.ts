import { InvalidRequestError, ServiceError } from '@slipway/service-kit';
import type { Static } from 'typebox';
import type { Attribution } from '../people/Attribution.ts';
import { NO_TEAM } from '../people/team.ts';
import { itemReader } from '../schemas.ts';
import type { ActivityEvent } from './ActivityEvent.ts';
import { ChatItem, EventItem } from './schemas.ts';
import type { DatabaseActivityStore } from './storage/DatabaseActivityStore.ts';

const readEventItem = itemReader(EventItem);
const readChatItem = itemReader(ChatItem);

/** The source of events that do not specify one. */
const DEFAULT_SOURCE = 'api';
const DEFAULT_CHAT = 'chat';

/** Converts items of a batch to events, which contain no names. */
export class EventReader {
  readonly #attribution: Attribution;

  constructor(attribution: Attribution) {
    this.#attribution = attribution;
  }

  /** Converts an element of `events`. @throws InvalidRequestError naming the invalid field. */
  async event(item: unknown, batchSource?: string): Promise<ActivityEvent> {
    const read = readEventItem(item);
    if (read.kind === 'build' && read.result === undefined) {
      throw new InvalidRequestError('result is required for a build', {
        field: 'result',
        constraint: 'required',
      });
    }
    return {
      source: read.source ?? batchSource ?? DEFAULT_SOURCE,
      id: read.id,
      kind: read.kind,
      ...(await this.#attribute(read)),
      amount: read.count ?? 1,
      people: read.user_id === undefined ? 0 : 1,
      ...(read.kind === 'build' && { result: read.result }),
    };
  }

  /** Converts an element of `counts`. @throws InvalidRequestError naming the invalid field. */
  async chat(item: unknown, batchSource?: string): Promise<ActivityEvent> {
    const read = readChatItem(item);
    return {
      source: batchSource ?? DEFAULT_CHAT,
      id: read.id,
      kind: 'chat_message',
      ...(await this.#attribute(read)),
      amount: read.messages,
      people: read.user_id === undefined ? (read.people ?? 0) : 1,
    };
  }

  async #attribute(
    read: Pick<Static<typeof EventItem>, 'user_id' | 'team' | 'timestamp'>,
  ): Promise<
    Pick<ActivityEvent, 'personHash' | 'team' | 'occurredAt' | 'day'>
  > {
    const { user_id: userId, team, timestamp } = read;
    return userId === undefined
      ? {
          ...this.#attribution.at(timestamp),
          team: (await this.#attribution.team(team)) ?? NO_TEAM,
        }
      : this.#attribution.named({ user_id: userId, team, timestamp });
  }
}

/** The result for one element of a batch. */
interface ItemResult {
  id?: string;
  status: 'accepted' | 'duplicate' | 'rejected';
  error?: { message: string; field?: string };
}

/** The response to a batch; a rejected element does not prevent the others from being stored. */
interface BatchResult {
  /** `success`, or `partial` if an element was rejected. */
  status: string;
  accepted: number;
  duplicates: number;
  rejected: number;
  /** One result for each element, in order. */
  results: ItemResult[];
}

/** Accepts batches: validates each element separately, and stores the valid ones together. */
export class ActivityIntake {
  readonly #store: Pick<DatabaseActivityStore, 'add'>;

  constructor(store: Pick<DatabaseActivityStore, 'add'>) {
    this.#store = store;
  }

  /**
   * Stores the valid elements of a batch.
   *
   * @param read - converts an element to an event, or throws a ServiceError.
   */
  async add(
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
