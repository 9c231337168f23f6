import { type AddressRules, anyAddress } from '@slipway/platform-guards';
import type { Database } from '../../database/openDatabase.ts';
import { KIT_MIGRATIONS, migrate } from '../../database/migrate.ts';
import { openTestDatabase } from '../../testing/databases.ts';
import { Outbox } from '../Outbox.ts';
import {
  type RegisteredEndpoint,
  WebhookEndpoints,
} from '../WebhookEndpoints.ts';
import { Receiver } from './Receiver.ts';

/**
 * Creates a database with the kit's tables, a webhook receiver, and outboxes that connect the two.
 */
export async function openOutboxes(client: Database['client']) {
  const { database, dispose } = await openTestDatabase(client);
  await migrate(database, { directory: KIT_MIGRATIONS, tablePrefix: 'kit_' });
  const receiver = new Receiver();
  const endpoint = await receiver.listen();
  const logger = { warn: () => {} };
  const running: Outbox[] = [];
  const registered = new WebhookEndpoints({
    database,
    configured: [],
    rules: anyAddress,
  });
  return {
    database,
    receiver,
    endpoint,
    /** The endpoints in the database, at any address. */
    registered,
    /** Reads the deliveries that other outboxes send. */
    log: new Outbox({ database, endpoints: registered, logger }),
    /** Creates an outbox that is stopped at the end of the test. */
    create(options: {
      endpoints?: readonly RegisteredEndpoint[];
      rules: AddressRules;
      now?: () => number;
    }): Outbox {
      const { endpoints = [], rules, now } = options;
      const outbox = new Outbox({
        database,
        endpoints: new WebhookEndpoints({
          database,
          configured: endpoints,
          rules,
        }),
        logger,
        ...(now && { now }),
      });
      running.push(outbox);
      return outbox;
    },
    async close() {
      await Promise.all(running.map(outbox => outbox.stop()));
      receiver.close();
      await dispose();
    },
  };
}

export type Outboxes = Awaited<ReturnType<typeof openOutboxes>>;
