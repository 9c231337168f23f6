import type { TimelineItem } from '@slipway/entity-contract';
import { subjectOf, suspectsOf } from './actionSubjects';

const item = (
  kind: TimelineItem['kind'],
  id: string,
  hours: number,
  more: Partial<TimelineItem> = {},
): TimelineItem => ({
  id,
  kind,
  at: new Date(Date.UTC(2026, 10, 20) - hours * 3_600_000).toISOString(),
  title: id,
  page: `/${kind}/${id}`,
  neighbours: [],
  ...more,
});

const build = (page: string) => ({
  neighbours: [{ kind: 'build' as const, title: page, page }],
});

const failed = item('deployment', 'shop 3', 1, {
  tone: 'bad',
  series: 'shop prod',
  commit: 'abc',
  entityRef: 'component:default/shop',
});
const incident = item('incident', 'Slow', 0.5, {
  tone: 'bad',
  neighbours: [{ kind: 'deployment', title: 'shop 3', page: failed.page! }],
});
const all = [
  incident,
  failed,
  item('flag', 'stop-payouts on', 2, { page: '/flags/flag/stop-payouts' }),
  item('flag', 'stop-payouts off', 3, { page: '/flags/flag/stop-payouts' }),
  item('flag', 'old', 40),
  item('deployment', 'map 7', 4, {
    tone: 'good',
    series: 'map prod',
    ...build('/builds/map/7'),
  }),
  item('deployment', 'shop 2', 5, { tone: 'bad', series: 'shop prod' }),
  item('deployment', 'shop 1', 6, {
    tone: 'good',
    series: 'shop prod',
    ...build('/builds/shop/1'),
  }),
];

it('names the version that worked before, and the build that deployed it', () => {
  expect(subjectOf(failed, { all })).toEqual({
    kind: 'deployment',
    title: 'shop 3',
    page: '/deployment/shop 3',
    entityRef: 'component:default/shop',
    commit: 'abc',
    failed: true,
    before: { title: 'shop 1', build: '/builds/shop/1' },
  });
  expect(subjectOf(all[5], { all })?.before).toBeUndefined();
  expect(subjectOf({ ...failed, page: undefined }, { all })).toBeUndefined();
});

it('compares moments, whatever the zones in which parts write them', () => {
  const later = { ...all[5], series: failed.series, at: '2026-11-19T22:30Z' };
  const before = { ...later, title: 'shop 0', at: '2026-11-20T01:00+04:00' };
  expect(
    subjectOf(
      { ...failed, at: '2026-11-19T23:00+01:00' },
      { all: [later, before] },
    )?.before?.title,
  ).toBe('shop 0');
});

it('suspects the flags that were changed around it, and the deployment before an incident', () => {
  expect(suspectsOf(failed, { all })).toMatchObject([
    { kind: 'flag', page: '/flags/flag/stop-payouts', failed: true },
  ]);
  expect(suspectsOf(incident, { all })).toMatchObject([
    { kind: 'deployment', title: 'shop 3', before: { title: 'shop 1' } },
    { kind: 'flag', page: '/flags/flag/stop-payouts' },
  ]);
});

it('suspects nothing that belongs to another component', () => {
  const of = (name: string) => ({ entityRef: `component:default/${name}` });
  const flags = [
    item('flag', 'own', 2, of('shop')),
    item('flag', 'other', 2, of('map')),
    item('flag', 'shared', 2),
  ];
  expect(
    suspectsOf(failed, { all: [failed, ...flags] }).map(({ title }) => title),
  ).toEqual(['own', 'shared']);
});
