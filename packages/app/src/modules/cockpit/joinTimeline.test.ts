import type { TimelineItem } from '@slipway/entity-contract';
import { joinTimeline } from './joinTimeline';

const item = (
  id: string,
  kind: TimelineItem['kind'],
  at: string,
  more: Partial<TimelineItem> = {},
): TimelineItem => ({
  id,
  kind,
  at: `2026-11-${at}:00Z`,
  title: id,
  page: `/${kind}/${id}`,
  neighbours: [],
  ...more,
});

const neighboursOf = (items: TimelineItem[]) =>
  Object.fromEntries(
    joinTimeline(items).map(({ id, neighbours }) => [
      id,
      neighbours.map(({ title }) => title),
    ]),
  );

it('lists the items of all parts newest first, each once', () => {
  const old = item('old', 'build', '01T10:00');
  const recent = item('recent', 'flag', '20T10:00');
  expect(joinTimeline([old, recent, old]).map(({ id }) => id)).toEqual([
    'recent',
    'old',
  ]);
});

it('joins a commit, its build and its deployment', () => {
  expect(
    neighboursOf([
      item('fix', 'commit', '10T10:00', { commit: 'a' }),
      item('shop #3', 'build', '10T10:05', { commit: 'a' }),
      item('shop 1.1', 'deployment', '10T10:30', { commit: 'a' }),
      item('shop 1.0', 'deployment', '01T10:30', { commit: 'b' }),
    ]),
  ).toEqual({
    fix: ['shop 1.1', 'shop #3'],
    'shop #3': ['shop 1.1', 'fix'],
    'shop 1.1': ['shop #3', 'fix'],
    'shop 1.0': [],
  });
});

it('joins the change of a flag with the deployments of a day around it', () => {
  expect(
    neighboursOf([
      item('stop-payouts off', 'flag', '10T12:00'),
      item('before', 'deployment', '10T11:00'),
      item('after', 'deployment', '11T10:00'),
      item('long before', 'deployment', '08T11:00'),
    ])['stop-payouts off'],
  ).toEqual(['before', 'after']);
});

it('joins an incident with the deployment before it, unless its own is known', () => {
  const known = {
    kind: 'deployment' as const,
    title: 'named',
    page: '/deployment/named',
  };
  expect(
    neighboursOf([
      item('slow', 'incident', '10T12:00'),
      item('down', 'incident', '10T12:30', { neighbours: [known] }),
      item('early', 'incident', '01T12:00'),
      item('1.1', 'deployment', '10T11:00'),
      item('1.2', 'deployment', '10T13:00'),
    ]),
  ).toMatchObject({ slow: ['1.1'], down: ['named'], early: [] });
});

it('joins nothing by time with the deployments of another component', () => {
  const of = (name: string) => ({ entityRef: `component:default/${name}` });
  expect(
    neighboursOf([
      item('slow', 'incident', '10T12:00', of('shop')),
      item('stop-payouts off', 'flag', '10T12:00', of('shop')),
      item('map 7', 'deployment', '10T11:30', of('map')),
      item('shop 3', 'deployment', '10T11:00', of('shop')),
    ]),
  ).toMatchObject({ slow: ['shop 3'], 'stop-payouts off': ['shop 3'] });
});
