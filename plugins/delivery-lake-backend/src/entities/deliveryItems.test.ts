import { DeploymentDetails } from '@slipway/plugin-delivery-lake-common';
import { needsOf } from './deliveryFacts';
import { itemOfDeployment, itemOfIncident } from './deliveryItems';

const deployment: DeploymentDetails = {
  id: 'deploy-1',
  version: '1.0.0',
  environment: 'prod',
  status: 'SUCCESS',
  startTime: '2026-11-20T10:00:00.000Z',
  endTime: '2026-11-20T10:01:00.000Z',
  duration: 60,
  triggeredBy: 'user:default/ada',
  commit: { sha: '', message: '', author: '' },
  service: 'till',
  entityRef: null,
  team: null,
  project: null,
  repository: null,
  url: null,
  source: 'ci',
  counted: true,
  failed: false,
  failureCause: null,
  rework: false,
  reworkCause: null,
  recoveredAt: null,
  incidents: [],
};

const scope = { kind: 'service', name: 'till' } as const;
const titleOf = (ref: string) => `Title of ${ref}`;

it.each([
  ['till%2Fdeploy/12', 'till/deploy #12'],
  // Senders may send any address.
  ['100%25/3', '100% #3'],
  ['100%/3', '100% #3'],
  ['%E0%A4/3', '%E0%A4 #3'],
])('links to the build %s', (build, title) => {
  const portal = 'https://portal.example.org';
  const item = itemOfDeployment(
    { ...deployment, url: `${portal}/builds/${build}` },
    { scope, portal, titleOf },
  );
  expect(item.neighbours).toEqual([
    { kind: 'build', title, page: `/builds/${build}` },
  ]);
});

it('names a component by its title, and another service as it was reported', () => {
  const entityRef = 'component:demo/till';
  const known = { ...deployment, service: 'demo/till', entityRef };
  const incident = {
    ...{ id: 'incident-1', title: 'Slow', service: 'demo/till', entityRef },
    ...{ team: null, project: null, environment: 'prod', severity: 'high' },
    ...{ startedAt: deployment.startTime, resolvedAt: null },
    ...{ durationSeconds: null, url: null, source: 'ci' },
    deployment: {
      ...{ id: 'deploy-1', version: '1.0.0', guessed: false },
      endTime: deployment.startTime,
    },
  };
  const title = 'Title of component:demo/till';
  const portal = '';
  expect(itemOfDeployment(known, { scope, portal, titleOf })).toMatchObject({
    title: `${title} 1.0.0 to prod`,
    series: 'demo/till prod',
  });
  expect(itemOfDeployment(deployment, { scope, portal, titleOf }).title).toBe(
    'till 1.0.0 to prod',
  );
  const { neighbours } = itemOfIncident(incident, { scope, titleOf });
  expect(neighbours[0].title).toBe(`${title} 1.0.0`);
  expect(
    needsOf({ incidents: [incident], failed: [known], scope, titleOf }),
  ).toMatchObject([
    { title: 'Slow', detail: `${title} · high` },
    { title: `${title} 1.0.0 failed to deploy` },
  ]);
});
