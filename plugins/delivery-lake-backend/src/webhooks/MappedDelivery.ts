import { DeliveryLakeConfig } from '../config';
import { LakeEvent } from '../events/LakeEvent';
import { IngestItem } from '../ingest/IngestService';

/** What a delivery means to the lake. */
export interface MappedDelivery {
  items: IngestItem[];
  /** Why it means nothing, where it does. */
  ignored?: string;
}

/** What a mapper is given: all that a delivery says, and how the lake reads it. */
export interface DeliveryContext {
  /** Under which name its events stand in the lake. */
  source: string;
  /** The sender's word for what it is. */
  type: string;
  /** Parsed, and not yet trusted to have any shape. */
  body: unknown;
  config: DeliveryLakeConfig;
}

/** A pure reading of one kind of delivery. @throws PayloadError naming the field at fault. */
export type DeliveryMapper = (delivery: DeliveryContext) => MappedDelivery;

/** A delivery that means these events. */
export function meaning(...events: LakeEvent[]): MappedDelivery {
  return { items: events.map(event => ({ event })) };
}

/** A delivery that means nothing to the lake, and why. */
export function ignoring(reason: string): MappedDelivery {
  return { items: [], ignored: reason };
}
