import type { FastifyInstance } from 'fastify';
import { dateOf, userName, type Organisation } from '../Organisation.ts';

/** Days between joining and the first commit. */
const SETTLING_IN = 10;

/** What the service asks the portal: users and deliveries. */
export function portalRoutes(
  app: FastifyInstance,
  { people, teams, firstDay }: Organisation,
): void {
  const users = Array.from({ length: people }, (_, index) => ({
    kind: 'User',
    metadata: {
      name: userName(index + 1),
      namespace: 'default',
      annotations: { 'slipway.dev/start-date': dateOf(firstDay - SETTLING_IN) },
    },
    spec: { memberOf: [`team-${((index + 1) % teams) + 1}`] },
  }));
  app.get('/api/catalog/entities/by-query', async () => ({
    items: users,
    pageInfo: {},
  }));
  app.get('/api/delivery-lake/dora-metrics', async () => ({
    metrics: {
      deploymentFrequency: { value: 12, samples: 52 },
      leadTimeForChanges: { value: 20, samples: 104 },
    },
  }));
}
