import { IngestResponse } from '@slipway/plugin-delivery-lake-common';

/** What a sender of webhooks is told. */
export interface DeliveryResponse extends IngestResponse {
  /** Why it meant nothing to the lake. */
  ignored?: string;
  /** It was known already. */
  duplicate?: true;
}

/** @param taken - undefined for a delivery that was known. */
export function deliveryResponse(
  taken: IngestResponse | undefined,
  ignored?: string,
): DeliveryResponse {
  if (!taken) {
    return {
      accepted: 0,
      duplicates: 1,
      stale: 0,
      rejected: 0,
      results: [],
      duplicate: true,
    };
  }
  return ignored === undefined ? taken : { ...taken, ignored };
}
