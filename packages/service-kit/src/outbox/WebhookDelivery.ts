import type { QueueItem } from '../queue/LeasedQueue.ts';

/**
 * A pending or finished delivery of an event to one endpoint. Times are milliseconds since the Unix
 * epoch.
 */
export interface WebhookDelivery {
  /** Sent with every attempt, so that receivers can deduplicate. */
  id: string;
  endpointId: string;
  event: string;
  /** JSON, exactly as it is sent and signed. */
  payload: string;
  state: 'pending' | 'delivered' | 'given_up';
  /** The number of attempts, including the one in progress. */
  attempts: number;
  createdAt: number;
  nextAttemptAt: number;
  deliveredAt: number | null;
  /** The end of the last finished attempt; null if there was none. */
  attemptedAt: number | null;
  /** HTTP status of the last response; null if there was none. */
  lastStatus: number | null;
  lastError: string | null;
}

/** The payload of a queue item; its lane is the endpoint. */
export interface QueuedEvent {
  event: string;
  /** JSON text: every attempt sends and signs the same bytes. */
  body: string;
}

/** The outcome of the last finished attempt. */
interface Outcome {
  status?: number | null;
  error?: string | null;
  /** When it ended; absent in outcomes stored by earlier versions. */
  at?: number;
}

const DELIVERY_STATES = {
  waiting: 'pending',
  done: 'delivered',
  failed: 'given_up',
  cancelled: 'given_up',
} as const;

/** Converts an item of the queue to a delivery. */
export function toDelivery(item: QueueItem<QueuedEvent>): WebhookDelivery {
  const outcome = item.outcome as Outcome | null;
  const { status = null, error = null, at } = outcome ?? {};
  return {
    id: item.id,
    endpointId: item.lane,
    event: item.payload.event,
    payload: item.payload.body,
    state: DELIVERY_STATES[item.state],
    attempts: item.attempts,
    createdAt: item.createdAt,
    nextAttemptAt: item.dueAt,
    deliveredAt: item.state === 'done' ? item.endedAt : null,
    attemptedAt: outcome && (at ?? item.endedAt ?? item.createdAt),
    lastStatus: status,
    lastError: error,
  };
}
