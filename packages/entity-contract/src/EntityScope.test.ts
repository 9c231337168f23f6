import { componentNaming, summaryOf } from './EntityScope.ts';
import { shortened } from './figure.ts';

const need = {
  key: 'a',
  kind: 'feedback-new',
  title: 'New feedback',
  at: '2026-11-20T12:00:00Z',
  tone: 'warning' as const,
  page: '/feedback',
  action: 'View feedback',
};
const summary = { state: 'good' as const, facts: [], needs: [need] };

it('tells only of a truncated scope that it is', () => {
  expect(summaryOf({ truncated: false }, summary)).toEqual(summary);
  expect(summaryOf({ truncated: true }, summary)).toEqual({
    ...summary,
    truncated: true,
  });
});

it('keeps the labels of needs short enough for inboxes', () => {
  const long = { ...need, title: 'x'.repeat(300), detail: 'y'.repeat(300) };
  const { needs } = summaryOf(
    { truncated: false },
    { ...summary, needs: [long] },
  );
  expect(needs).toEqual([
    { ...need, title: `${'x'.repeat(199)}…`, detail: `${'y'.repeat(199)}…` },
  ]);
});

it('never cuts within a character', () => {
  expect(shortened('abc', 3)).toBe('abc');
  expect(shortened('ab😀d', 4)).toBe('ab…');
  expect(shortened('ab😀cd', 5)).toBe('ab😀…');
});

it('finds the component that names something, unless several do', () => {
  const component = (name: string, flags: string) => ({
    ref: `component:default/${name}`,
    ...{ name, title: name, annotations: { flags } },
  });
  const scope = {
    ...{ ref: 'group:default/payments', kind: 'group' as const },
    ...{ truncated: false, teams: [] },
    components: [component('shop', 'a, b'), component('till', 'b,c')],
  };
  const naming = (flag: string) =>
    componentNaming(scope, 'flags', name => name === flag);
  expect(naming('a')).toBe('component:default/shop');
  expect(naming('b')).toBeUndefined();
  expect(naming('d')).toBeUndefined();
});
