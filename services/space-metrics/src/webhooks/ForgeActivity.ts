import type { Kind } from '../activity/ActivityEvent.ts';

/** What a delivery of a forge tells, in the words of no particular forge. */
export interface ForgeActivity {
  /** Unique within the forge, whatever delivery tells it. */
  readonly id: string;
  readonly kind: Kind;
  /** ISO 8601; a delivery without a usable time is of now. */
  readonly at?: string;
  readonly author: { login?: string; email?: string };
}

/** A delivery, its signature checked. */
export interface ForgeDelivery {
  /** Name of the event, from its header. */
  readonly event: string;
  readonly payload: unknown;
}

/**
 * Reads what a delivery tells; nothing for events that do not matter here.
 *
 * @throws InvalidRequestError when a known event has another shape.
 */
export type DeliveryReader = (delivery: ForgeDelivery) => ForgeActivity[];
