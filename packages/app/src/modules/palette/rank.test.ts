import type { InstalledSource, PaletteEntry } from '@slipway/app-react';
import { createIndex } from './rank';

const source = (order: number): InstalledSource => ({
  id: `source-${order}`,
  title: '',
  icon: null,
  order,
  isScope: true,
  load: async () => () => ({}),
  dialogs: {},
});

const entry = (
  title: string,
  keywords: readonly string[] = [],
  order = 1,
): PaletteEntry => ({
  source: source(order),
  item: {
    id: title,
    title,
    kind: '',
    keywords,
    act: { type: 'open', href: '/' },
  },
});

const ENTRIES = [
  entry('Checkout', ['takes payments of carts']),
  entry('Payments API', ['charges cards']),
  entry('api-gateway'),
  entry('petstore'),
  entry('stop-payouts', ['kill switch']),
  entry('Turn off stop-payouts', [], 2),
  entry('hello'),
  entry('Run hello', ['build start'], 2),
  entry('hello #3', [], 2),
  entry('Create workspace', ['ide']),
  entry('Workspaces'),
  entry('Send feedback'),
  entry('Switch to dark', ['theme']),
  entry('Grace Hopper', ['grace']),
  entry('Incidents'),
  entry('Crème brûlée'),
];

const index = createIndex(ENTRIES);
const find = (words: string) =>
  index.find(words, { limit: 10 }).map(({ entry: { item } }) => item.title);

it.each([
  ['pay', 'Payments API'],
  ['PAYMENTS', 'Payments API'],
  ['paymnets', 'Payments API'],
  ['run hello', 'Run hello'],
  ['hello run', 'Run hello'],
  ['hello', 'hello'],
  ['hello 3', 'hello #3'],
  ['turn off stop', 'Turn off stop-payouts'],
  ['stop pay', 'stop-payouts'],
  ['kill', 'stop-payouts'],
  ['store', 'petstore'],
  ['gatway', 'api-gateway'],
  ['apigateway', 'api-gateway'],
  ['create work', 'Create workspace'],
  ['workspce', 'Workspaces'],
  ['send fedback', 'Send feedback'],
  ['dark', 'Switch to dark'],
  ['theme', 'Switch to dark'],
  ['hopper', 'Grace Hopper'],
  ['incdients', 'Incidents'],
  ['creme brulee', 'Crème brûlée'],
])('finds for "%s" first "%s"', (words, title) => {
  expect(find(words)[0]).toBe(title);
});

it('puts names before other words about a thing', () => {
  expect(find('pay').slice(0, 2)).toEqual(['Payments API', 'stop-payouts']);
  expect(find('payments')).toEqual(['Payments API', 'Checkout']);
});

it('finds nothing for an empty query or unknown words', () => {
  expect(find(' ')).toEqual([]);
  expect(find('-')).toEqual([]);
  expect(find('zzzz')).toEqual([]);
  expect(find('a'.repeat(5_000))).toEqual([]);
});

it('ranks frequent entries first among equals, but never above an exact name', () => {
  const used = (title: string) => (each: PaletteEntry) =>
    each.item.title === title ? 1 : 0;
  const best = (words: string, title: string) =>
    index.find(words, { limit: 1, bonusOf: used(title) })[0].entry.item.title;
  expect(best('stop', 'Turn off stop-payouts')).toBe('stop-payouts');
  expect(best('hello', 'Run hello')).toBe('hello');
  expect(best('w', 'Workspaces')).toBe('Workspaces');
});

it('highlights the typed text', () => {
  const [first] = index.find('off stop', { limit: 1 });
  expect(first.marks).toEqual([5, 8, 9, 13]);
  expect(index.find('paymnets', { limit: 1 })[0].marks).toEqual([]);
});

it('finds the best of thousands', () => {
  const many = createIndex(
    Array.from({ length: 10_000 }, (_, place) =>
      entry(`payments-service-${place}`, ['team', 'card', 'money']),
    ),
  );
  expect(many.find('paymnets service 99', { limit: 40 })).toHaveLength(40);
});
