import { ConfigReader } from '@backstage/config';
import { JsonObject } from '@backstage/types';
import { readDeliveryLakeConfig } from '../../config';
import { LakeEvent } from '../../events/LakeEvent';
import { mapDelivery } from '../mapDelivery';
import { MappedDelivery } from '../payload';

/** Returns the parsed configuration of the plugin. */
export function lakeConfig(webhooks: JsonObject = {}) {
  return readDeliveryLakeConfig(
    new ConfigReader({ deliveryLake: { webhooks } }),
  );
}

/** Maps a payload to events in the same way as deliveries. */
export function mapPayload(options: {
  channel: string;
  type: string;
  body: unknown;
  webhooks?: JsonObject;
  context?: Record<string, string>;
}): MappedDelivery {
  const { channel, type, body, context } = options;
  return mapDelivery(
    {
      channel,
      type,
      key: 'delivery-1',
      body: body === undefined ? '' : JSON.stringify(body),
      context,
    },
    lakeConfig(options.webhooks),
  );
}

/** Returns the events of the items. @throws Error if one could not be read. */
export function eventsOf({ items }: MappedDelivery): LakeEvent[] {
  return items.map(item => {
    if ('error' in item) {
      throw new Error(item.error);
    }
    return item.event;
  });
}

/** Returns the milliseconds of an ISO 8601 time. */
export function at(time: string): number {
  return Date.parse(time);
}
