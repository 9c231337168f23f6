import { IngestItemResult } from '@slipway/plugin-delivery-lake-common';
import { DigestedEvent } from './LakeEvent';

/** A delivery as received, before it is interpreted; kept for replay. */
export interface RawDelivery {
  /** The interface that received it: `github`, `cloudevents`, `devlake`, … */
  channel: string;
  /** The sender's event type: `push`, `deployment_status`, … */
  type: string;
  /** The sender's id of the delivery. A delivery with a known id is ignored. */
  key: string;
  /** The body as received. */
  body: string;
  /**
   * Facts in addition to the body that are needed to interpret it: for DevLake, the path and time
   * of receipt; the `repository` or account whose own secret signed it; for the common webhook, the
   * `connected` repository that it is about; for a tracker, the `service` that it is about, by the
   * name under which the component is deployed.
   */
  context?: Record<string, string>;
}

/** A delivery with its result. */
export interface JudgedDelivery extends RawDelivery {
  outcome: 'accepted' | 'ignored' | 'rejected';
  /** Reason why it contained no event. */
  reason?: string;
}

/** A valid event to store. */
export interface IncomingEvent extends DigestedEvent {
  /** True if the lake derived it from another event, so that it does not count as the sender's. */
  implied?: boolean;
}

/** Events and a delivery that are stored together in one transaction. */
export interface IngestBatch {
  events: IncomingEvent[];
  delivery?: JudgedDelivery;
  /** Milliseconds since the Unix epoch. */
  receivedAt: number;
}

/** The result of storing an event. */
export interface IngestedEvent {
  outcome: Exclude<IngestItemResult['outcome'], 'rejected'>;
  /** Public id of the deployment or incident, if it exists now. */
  id?: string;
}
