import { DeploymentDetails } from '@slipway/plugin-delivery-lake-common';
import { itemOfDeployment } from './deliveryItems';

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
    { scope: { kind: 'service', name: 'till' }, portal },
  );
  expect(item.neighbours).toEqual([
    { kind: 'build', title, page: `/builds/${build}` },
  ]);
});
