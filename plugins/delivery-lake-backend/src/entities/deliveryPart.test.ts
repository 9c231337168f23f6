import type { DeploymentDetails } from '@slipway/plugin-delivery-lake-common';
import type { DeploymentsQuery } from '../history/schemas';
import { deliveryPart } from './deliveryPart';

const HOUR = 3_600_000;
const now = Date.parse('2026-03-02T14:00:00Z');

function deployment(
  service: string,
  status: DeploymentDetails['status'],
  hoursAgo: number,
): DeploymentDetails {
  const at = new Date(now - hoursAgo * HOUR).toISOString();
  return {
    id: `deploy-${service}-${hoursAgo}`,
    version: '1.0.0',
    environment: 'prod',
    status,
    startTime: at,
    endTime: at,
    duration: 60,
    triggeredBy: 'user:default/ada',
    commit: { sha: '', message: '', author: '' },
    service,
    entityRef: `component:default/${service}`,
    team: null,
    project: null,
    repository: null,
    url: null,
    source: 'ci',
    counted: status === 'SUCCESS',
    failed: false,
    failureCause: null,
    rework: false,
    reworkCause: null,
    recoveredAt: null,
    incidents: [],
  };
}

/**
 * Returns the inbox of a member of the team, who owns the components of all deployments.
 *
 * @param onQuery - called for each query of deployments.
 */
async function inboxOf(
  deployments: readonly DeploymentDetails[],
  onQuery = () => {},
) {
  const newestFirst = [...deployments].sort((one, other) =>
    other.startTime.localeCompare(one.startTime),
  );
  const part = deliveryPart({
    history: {
      async deployments({
        service,
        components = [],
        status,
        limit,
      }: DeploymentsQuery) {
        onQuery();
        const found = newestFirst.filter(
          each =>
            components.includes(each.entityRef ?? '') &&
            each.service === (service ?? each.service) &&
            each.status === (status ?? each.status),
        );
        return {
          deployments: found.slice(0, limit),
          total: found.length,
          nextCursor: found.length > limit ? 'next' : null,
        };
      },
      incidents: async () => ({ incidents: [], total: 0, nextCursor: null }),
      running: async () => ({ deployments: [], truncated: false }),
    },
    dora: {
      async metrics() {
        throw new Error('There are no metrics');
      },
    },
    directory: { titleOf: ref => ref.replace('component:default/', '') },
    timeZone: 'UTC',
    portal: '',
    now: () => now,
  });
  return part.summary(
    {
      kind: 'user',
      ref: 'user:default/grace',
      components: [...new Set(deployments.map(({ service }) => service))].map(
        name => ({
          ...{ ref: `component:default/${name}`, name, title: name },
          annotations: {},
        }),
      ),
      truncated: false,
      teams: ['group:default/payments'],
    },
    { ref: 'user:default/grace' },
  );
}

/** Returns the titles of the failed deployments in the inbox of {@link inboxOf}. */
async function failuresIn(
  deployments: readonly DeploymentDetails[],
): Promise<string[]> {
  const { needs } = await inboxOf(deployments);
  return needs.map(({ title }) => title);
}

it('says that there may be more than the newest failures', async () => {
  const failures = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      deployment('till', 'FAILURE', 1 + index / 10),
    );
  expect(await inboxOf(failures(200))).not.toHaveProperty('moreNeeds');
  expect(await inboxOf(failures(201))).toMatchObject({ moreNeeds: true });
});

it('reports a service whose last deployment failed, before many of other services', async () => {
  const others = Array.from({ length: 250 }, (_, index) =>
    deployment('map', 'SUCCESS', 1 + index / 10),
  );
  expect(
    await failuresIn([
      ...others,
      deployment('till', 'FAILURE', 100),
      deployment('shop', 'SUCCESS', 90),
      deployment('shop', 'FAILURE', 110),
      deployment('map', 'FAILURE', 0.5),
    ]),
  ).toEqual(['map 1.0.0 failed to deploy', 'till 1.0.0 failed to deploy']);
});

it('reports none that was repaired, or that waits for its end', async () => {
  expect(
    await failuresIn([
      deployment('till', 'FAILURE', 2),
      deployment('till', 'SUCCESS', 1),
      deployment('map', 'FAILURE', 2),
      deployment('map', 'IN_PROGRESS', 1),
    ]),
  ).toEqual(['map 1.0.0 failed to deploy']);
});

it('asks once about all failed services, however often others are deployed', async () => {
  const onQuery = vi.fn();
  const services = Array.from(
    { length: 150 },
    (_, index) => `service-${index}`,
  );
  await inboxOf(
    [
      ...services.map(name => deployment(name, 'FAILURE', 100)),
      ...services.map(name => deployment(name, 'SUCCESS', 90)),
      ...Array.from({ length: 250 }, (_, index) =>
        deployment('map', 'SUCCESS', 1 + index / 10),
      ),
    ],
    onQuery,
  );
  expect(onQuery).toHaveBeenCalledTimes(2);
});

it('reports a failure under one name of a component that is deployed often under another', async () => {
  const till = { entityRef: 'component:default/till' };
  expect(
    await failuresIn([
      { ...deployment('till-eu', 'FAILURE', 100), ...till },
      ...Array.from({ length: 250 }, (_, index) => ({
        ...deployment('till', 'SUCCESS', 1 + index / 10),
        ...till,
      })),
    ]),
  ).toEqual(['till 1.0.0 failed to deploy']);
});
