import { InputError, NotFoundError } from '@backstage/errors';
import { RequestHandler } from 'express';
import { DeliveryLakeConfig } from '../../config';
import { IngestService } from '../../ingest/IngestService';
import { readDevlakePath } from '../devlake/devlake';
import { mapDelivery } from '../mapDelivery';
import { bodyOf, deliveryResponse, digestOf, parseJson } from './delivery';

/** Behind it stand DevLake's own paths. */
export const DEVLAKE_PATH = '/webhooks/devlake';

/**
 * Takes what pipelines send to DevLake's webhooks. Unlike a forge they look at the
 * status: a body at fault is 400 as it is there.
 *
 * @param options.now - milliseconds; for tests.
 */
export function createDevlakeHandler(options: {
  config: DeliveryLakeConfig;
  ingest: IngestService;
  now?: () => number;
}): RequestHandler {
  const { config, ingest, now = Date.now } = options;
  return async (req, res) => {
    // As it was sent: names in it may hold slashes.
    const path = req.path.slice(DEVLAKE_PATH.length);
    const target = readDevlakePath(path);
    if (!target) {
      throw new NotFoundError(`DevLake has no webhook ${path}`);
    }
    const body = bodyOf(req);
    if (body && !req.is('application/json')) {
      throw new InputError('Content-Type must be application/json');
    }
    if (body || target.kind !== 'close') {
      parseJson(body);
    }
    const receivedAt = String(now());
    const delivery = {
      channel: 'devlake',
      type: target.kind,
      // Closing is the same each time, and may be meant each time.
      key:
        target.kind === 'close'
          ? digestOf(path, receivedAt)
          : digestOf(path, body),
      body,
      context: { path, receivedAt },
    };
    const { items, ignored } = mapDelivery(delivery, config);
    const fault = items.find(item => 'error' in item);
    if (fault) {
      throw new InputError(fault.error);
    }
    const taken = await ingest.ingestDelivery(delivery, items, ignored);
    res.json(deliveryResponse(taken, ignored));
  };
}
