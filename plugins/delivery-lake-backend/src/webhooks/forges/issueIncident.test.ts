import { patient } from '@slipway/dev-runner/src/patience.ts';
import { deploymentLinkIn, severityIn } from './issueIncident';

const SHA = 'a94b7c1d2e3f405162738495a6b7c8d9e0f10213';
const LAKE_ID = 'deploy-0199c0de-0000-7000-8000-000000000000';

it.each([
  [`Caused by: ${SHA}`, { sha: SHA }],
  [`It broke.\n\n- **Deploy:** \`${SHA}\``, { sha: SHA }],
  [`> caused-by: ${SHA.toUpperCase()}`, { sha: SHA }],
  [`Deployment: ${SHA}`, { sha: SHA }],
  [`Deployment: ${LAKE_ID}`, { id: LAKE_ID }],
  [`Deploy: ${LAKE_ID}`, { id: LAKE_ID }],
  // The id of another system that has the same prefix as the lake's.
  ['Deployment: deploy-42', { source: 'github', externalId: 'deploy-42' }],
  // Only digits, but not a SHA: GitHub numbers its deployments.
  ['Deployment: 145988746', { source: 'github', externalId: '145988746' }],
  ['Deploy: release-17', { source: 'github', externalId: 'release-17' }],
])('reads %j', (text, link) => {
  expect(deploymentLinkIn(text, 'github')).toEqual(link);
});

it.each([
  ['We saw it after the deployment: it was slow'],
  ['Deployments: 12'],
  ['Deployment:'],
  ['Deployment:\n\nNobody knows'],
  [`Deployment: https://ci.example.org/${'x'.repeat(300)}`],
  [`Deployment: deploy-${'x'.repeat(300)}`],
  ['Deployment: \u0000'],
  [''],
  [null],
])('finds none in %j', text => {
  expect(deploymentLinkIn(text, 'github')).toBeNull();
});

it('parses hostile texts quickly', () => {
  const lines = '\n'.repeat(200_000);
  const start = performance.now();
  for (const text of [lines, `deploy${lines}`, `deploy:${lines}`]) {
    expect(deploymentLinkIn(text, 'github')).toBeNull();
  }
  expect(performance.now() - start).toBeLessThan(patient(1_000));
});

it.each([
  [['incident', 'sev1'], 'sev1'],
  [['Severity::2'], 'sev2'],
  [['SEV-3'], 'sev3'],
  [['severity/high'], 'high'],
  [['severity: Low'], 'low'],
  [['Critical'], 'critical'],
  [['bug', 'several'], undefined],
  [[], undefined],
])('reads the severity of %j as %s', (labels, severity) => {
  expect(severityIn(labels)).toBe(severity);
});
