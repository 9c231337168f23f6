import { InputError } from '@backstage/errors';
import { eventHeaderOf, eventOf, Forge } from '@slipway/forge-webhooks';
import { Request, RequestHandler } from 'express';
import { DeliveryLakeConfig } from '../../config';
import { IngestService } from '../../ingest/IngestService';
import { mapDelivery } from '../mapDelivery';
import { deliveryKey, storableType } from './deliveryKey';
import { headersOf } from './header';
import { bodyOf, payloadOf } from './rawBody';
import { deliveryResponse } from './respond';

function typeOf(req: Request, forge: Forge): string {
  const event = eventOf(forge, headersOf(req));
  if (!event) {
    throw new InputError(`The header ${eventHeaderOf(forge)} is missing`);
  }
  return storableType(event.toLocaleLowerCase('en-US'));
}

/**
 * Takes deliveries of one forge that were let in. What cannot be used is answered
 * with 200 and the reason: forges switch off hooks that answer with errors.
 */
export function createForgeHandler(options: {
  forge: Forge;
  config: DeliveryLakeConfig;
  ingest: IngestService;
}): RequestHandler {
  const { forge, config, ingest } = options;
  return async (req, res) => {
    const delivery = {
      channel: forge,
      type: typeOf(req, forge),
      key: deliveryKey({ forge, header: headersOf(req), rawBody: bodyOf(req) }),
      body: payloadOf(req),
    };
    const { items, ignored } = mapDelivery(delivery, config);
    const taken = await ingest.ingestDelivery(delivery, items, ignored);
    res.json(deliveryResponse(taken, ignored));
  };
}
