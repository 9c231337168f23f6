import { IngestItem } from '../../events/LakeEvent';
import {
  IngestItemResult,
  IngestResponse,
} from '@slipway/plugin-delivery-lake-common';
import { RawDelivery } from '../../events/Delivery';
import { IngestService } from '../../ingest/IngestService';

function answer(items: IngestItem[]): IngestResponse {
  const results = items.map((item, index): IngestItemResult =>
    'error' in item
      ? { index, outcome: 'rejected', error: item.error, field: item.field }
      : { index, outcome: 'accepted', id: `deploy-${index}` },
  );
  const count = (outcome: string) =>
    results.filter(result => result.outcome === outcome).length;
  return {
    accepted: count('accepted'),
    duplicates: 0,
    stale: 0,
    rejected: count('rejected'),
    results,
  };
}

/** Accepts and records every delivery, each one once. */
export class RecordingIngest implements Pick<IngestService, 'ingestDelivery'> {
  readonly deliveries: {
    delivery: RawDelivery;
    items: IngestItem[];
    ignored?: string;
  }[] = [];

  async ingestDelivery(
    delivery: RawDelivery,
    items: IngestItem[],
    ignored?: string,
  ): Promise<IngestResponse | undefined> {
    const known = this.deliveries.some(
      ({ delivery: other }) =>
        other.channel === delivery.channel && other.key === delivery.key,
    );
    if (known) {
      return undefined;
    }
    this.deliveries.push({ delivery, items, ignored });
    return answer(items);
  }
}
