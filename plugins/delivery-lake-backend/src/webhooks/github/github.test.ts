import definitions from '@octokit/webhooks-examples';
import { INCIDENT, map } from './__testUtils__/examples';

it('reads every example of every event without failing', () => {
  for (const { name, examples } of definitions) {
    for (const payload of examples) {
      const { items, ignored } = map(name, payload, {
        releases: 'deployments',
        ...INCIDENT,
      });
      expect(items.filter(item => 'error' in item)).toEqual([]);
      expect(items.length > 0 || ignored !== undefined).toBe(true);
    }
  }
});

it('reports unused events', () => {
  expect(
    map('ping', { zen: 'Anything added dilutes everything else.' }).items,
  ).toEqual([]);
  expect(map('watch', {}).ignored).toBe(
    'The lake ignores watch events of GitHub',
  );
  expect(map('constructor', {}).items).toEqual([]);
});
