import type { Database, Service } from '@slipway/service-kit';
import {
  type FakePortal,
  openTestDatabase,
} from '@slipway/service-kit/testing';
import {
  type Client,
  clientsOf,
  startFeedback,
  startPortal,
} from './startFeedback.ts';
import { feedbackService } from '../service.ts';

/** The path that runs the automation. */
export const RUN = '/api/v1/automation/process-validated';

/** Submits feedback and validates it. */
export async function validated(
  clients: { ada: Client; grace: Client },
  message = 'The search does not work',
): Promise<string> {
  const { body } = await clients.grace.submit({ rating: 2, message });
  await clients.ada.move(body.id, 'validated');
  return body.id;
}

/**
 * Provides an empty database for each test of a block, and services on it that are stopped after
 * the test.
 */
export function automationSuite(databaseClient: Database['client']) {
  let portal: FakePortal;
  let database: Database;
  let dispose: () => Promise<void>;
  const services: Service[] = [];

  beforeAll(async () => {
    portal = await startPortal();
  });

  beforeEach(async () => {
    ({ database, dispose } = await openTestDatabase(
      databaseClient,
      feedbackService,
    ));
  });

  afterEach(async () => {
    for (const service of services.splice(0)) {
      await service.stop();
    }
    await dispose();
  });

  afterAll(() => portal.stop());

  return {
    get database() {
      return database;
    },
    async start(
      options: { config?: Record<string, unknown>; now?: () => number } = {},
    ) {
      const service = await startFeedback(portal, { database, ...options });
      services.push(service);
      return { service, ...(await clientsOf(service, portal)) };
    },
  };
}
