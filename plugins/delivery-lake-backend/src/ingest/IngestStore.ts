import { IngestItemResult } from '@slipway/plugin-delivery-lake-common';
import { DigestedEvent } from '../events/canonicalJson';
import { RawDelivery } from './IngestService';

/** A delivery, with what was made of it. */
export interface JudgedDelivery extends RawDelivery {
  outcome: 'accepted' | 'ignored' | 'rejected';
  /** Why nothing was made of it. */
  reason?: string;
}

/** An event that is fit to be kept. */
export interface IncomingEvent extends DigestedEvent {
  /** Not the sender's own word but what it entails; counts for no sender. */
  implied?: boolean;
}

/** What is taken in together, wholly or not at all. */
export interface Intake {
  events: IncomingEvent[];
  delivery?: JudgedDelivery;
  /** Milliseconds since the Unix epoch. */
  receivedAt: number;
}

/** What became of an event. */
export interface TakenEvent {
  outcome: Exclude<IngestItemResult['outcome'], 'rejected'>;
  /** Public id of the deployment or incident, where there is one now. */
  id?: string;
}

/** Keeps events and the records that follow from them. */
export interface IngestStore {
  /**
   * Takes events in. When it returns they are durable, each once, and the records
   * say what all known events say, whatever order they came in and whoever else
   * takes events in at the same time.
   *
   * @returns one result per event, in order; undefined when the delivery is known.
   */
  take(
    intake: Intake,
  ): Promise<{ results: TakenEvent[]; marked: boolean } | undefined>;
}
