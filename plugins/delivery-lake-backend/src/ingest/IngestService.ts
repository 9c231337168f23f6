import { IngestResponse } from '@slipway/plugin-delivery-lake-common';
import { LakeEvent } from '../events/LakeEvent';

/** One item of a batch: an event, or why it could not be read. */
export type IngestItem =
  | { event: LakeEvent }
  | { error: string; field?: string };

/** What a sender delivered, before anybody understood it; kept for replay. */
export interface RawDelivery {
  /** Which door it came through: `github`, `cloudevents`, `devlake`, … */
  channel: string;
  /** The sender's word for what it is: `push`, `deployment_status`, … */
  type: string;
  /** The sender's id of the delivery; one that is known already changes nothing. */
  key: string;
  /** As received. */
  body: string;
  /** What else understanding it needs: headers, path parameters. */
  context?: Record<string, string>;
}

/** Takes events in; everything it has acknowledged survives a crash. */
export interface IngestService {
  /** Items of the lake's own JSON. One that is refused keeps no other from being taken. */
  ingest(items: IngestItem[]): Promise<IngestResponse>;
  /**
   * A delivery of a webhook or an event bus with the events it means.
   *
   * @param ignored - why it means none, where it does.
   * @returns undefined when the delivery is known already.
   */
  ingestDelivery(
    delivery: RawDelivery,
    items: IngestItem[],
    ignored?: string,
  ): Promise<IngestResponse | undefined>;
}
