import { InputError, NotFoundError } from '@backstage/errors';
import { RequestHandler } from 'express';
import { DeliveryLakeConfig } from '../../config';
import { IngestService } from '../../ingest/IngestService';
import { readDevlakePath } from '../devlake/devlake';
import { mapDelivery } from '../mapDelivery';
import { bodyOf, deliveryResponse, digestOf, parseJson } from './delivery';

/** The prefix of DevLake's own paths. */
export const DEVLAKE_PATH = '/webhooks/devlake';

/**
 * Receives deliveries for DevLake's webhooks. Unlike forges, pipelines check the status, so the
 * response to an invalid body is 400, as in DevLake.
 *
 * @param options.now - milliseconds; for tests.
 */
export function createDevlakeHandler(options: {
  config: DeliveryLakeConfig;
  ingest: Pick<IngestService, 'ingestDelivery'>;
  now?: () => number;
}): RequestHandler {
  const { config, ingest, now = Date.now } = options;
  return async (req, res) => {
    // The raw path: names in it may contain slashes.
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
      // Repeated requests to close have the same body, but each may be intended.
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
    const ingested = await ingest.ingestDelivery(delivery, items, ignored);
    const response = deliveryResponse(ingested, ignored);
    const rejected = response.results.find(({ error }) => error !== undefined);
    if (rejected && response.accepted === 0) {
      throw new InputError(rejected.error);
    }
    res.json(response);
  };
}
