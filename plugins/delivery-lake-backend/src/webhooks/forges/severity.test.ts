import { severityIn } from './issueIncident';

it.each([
  [['incident', 'sev1'], 'sev1'],
  [['Severity::2'], 'sev2'],
  [['SEV-3'], 'sev3'],
  [['severity/high'], 'high'],
  [['severity: Low'], 'low'],
  [['Critical'], 'critical'],
  [['bug', 'several'], undefined],
  [[], undefined],
])('%j is %s', (labels, severity) => {
  expect(severityIn(labels)).toBe(severity);
});
