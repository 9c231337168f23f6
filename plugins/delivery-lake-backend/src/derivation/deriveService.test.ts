import { deriveService, mergeOutages } from './deriveService';
import {
  Change,
  CountedDeployment,
  Incident,
  ServiceHistory,
} from './ServiceHistory';

const aDeployment = (
  fields: Partial<CountedDeployment>,
): CountedDeployment => ({
  id: 1,
  serviceId: 1,
  source: 'ci',
  externalId: 'd',
  startedAt: fields.finishedAt ?? 100,
  finishedAt: 100,
  isRolledBack: false,
  listsChanges: false,
  unplanned: false,
  ...fields,
});

const anIncident = (fields: Partial<Incident>): Incident => ({
  id: 1,
  serviceId: 1,
  startedAt: 110,
  resolvedAt: 120,
  ...fields,
});

const aChange = (id: number, position: number): Change => ({
  id,
  repositoryId: 1,
  position,
  committedAt: position,
});

const aHistory = (fields: Partial<ServiceHistory>): ServiceHistory => ({
  serviceId: 1,
  since: 0,
  from: 0,
  incidentWindow: 50,
  deployments: [],
  targets: [],
  rollbacks: [],
  incidents: [],
  settledIncidents: [],
  outageIncidents: [],
  baselines: new Map(),
  changes: new Map(),
  listedChanges: new Map(),
  isDelivered: () => false,
  ...fields,
});

it.each([
  [150, 50, 'guess'],
  [151, 50, undefined],
  [100, 50, 'guess'],
  [99, 50, undefined],
  [100, 0, undefined],
])(
  'blames an incident at %d, window %d, on a deployment that finished at 100: %s',
  (startedAt, incidentWindow, failureCause) => {
    const { verdicts } = deriveService(
      aHistory({
        incidentWindow,
        deployments: [aDeployment({})],
        incidents: [anIncident({ startedAt, resolvedAt: 200 })],
      }),
    );
    expect(verdicts).toMatchObject([{ failureCause }]);
  },
);

it('does not guess about incidents of other services', () => {
  const { incidents } = deriveService(
    aHistory({
      deployments: [aDeployment({})],
      incidents: [anIncident({ serviceId: 2 })],
    }),
  );
  expect(incidents).toEqual([{ incident: anIncident({ serviceId: 2 }) }]);
});

it('recovers at once from an incident that ended before the deployment', () => {
  const deployment = aDeployment({});
  const { verdicts } = deriveService(
    aHistory({
      deployments: [deployment],
      incidents: [
        anIncident({ startedAt: 80, resolvedAt: 90, linked: deployment }),
      ],
    }),
  );
  expect(verdicts).toMatchObject([
    { failureCause: 'incident', recoveredAt: 100 },
  ]);
});

it('does not attribute changes that a list omits to a later deployment', () => {
  const changes = [aChange(1, 10), aChange(2, 20), aChange(3, 30)];
  const listing = aDeployment({
    id: 1,
    finishedAt: 100,
    repositoryId: 1,
    headPosition: 20,
    listsChanges: true,
  });
  const { deliveries } = deriveService(
    aHistory({
      deployments: [
        listing,
        aDeployment({
          id: 2,
          finishedAt: 200,
          repositoryId: 1,
          headPosition: 30,
        }),
      ],
      changes: new Map([[1, changes]]),
      listedChanges: new Map([[1, [changes[1]]]]),
    }),
  );
  expect(
    deliveries.map(({ change, deployment, leadTime }) => [
      change.id,
      deployment.id,
      leadTime,
    ]),
  ).toEqual([
    [2, 1, 80],
    [3, 2, 170],
  ]);
});

it('merges adjacent incidents, and no others', () => {
  expect(
    mergeOutages([
      anIncident({ id: 3, startedAt: 41, resolvedAt: undefined }),
      anIncident({ id: 2, startedAt: 20, resolvedAt: 40 }),
      anIncident({ id: 1, startedAt: 10, resolvedAt: 20 }),
    ]),
  ).toEqual([
    { firstIncidentId: 1, startedAt: 10, endedAt: 40 },
    { firstIncidentId: 3, startedAt: 41, endedAt: Infinity },
  ]);
});
