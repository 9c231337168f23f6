import { InputError } from '@backstage/errors';
import { Request, RequestHandler } from 'express';
import { DeliveryLakeConfig, Forge } from '../../config';
import { IngestService } from '../../ingest/IngestService';
import { mapDelivery } from '../mapDelivery';
import { deliveryKey, storableType } from './deliveryKey';
import { headersOf } from './header';
import { bodyOf, payloadOf } from './rawBody';
import { deliveryResponse } from './respond';

/** Headers in which a forge says what a delivery is. */
const TYPE_HEADERS: Record<Forge, readonly string[]> = {
  github: ['x-github-event'],
  gitlab: ['x-gitlab-event'],
  gitea: ['x-gitea-event'],
  forgejo: ['x-forgejo-event', 'x-gitea-event'],
};

function typeOf(req: Request, forge: Forge): string {
  const header = TYPE_HEADERS[forge]
    .map(headersOf(req))
    .find(value => value !== undefined);
  if (!header) {
    throw new InputError(`The header ${TYPE_HEADERS[forge][0]} is missing`);
  }
  return storableType(header.toLocaleLowerCase('en-US'));
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
