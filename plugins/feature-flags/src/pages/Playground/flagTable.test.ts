import { columnLabels, filterTable } from './flagTable';

const certain = { random: false };
const on = { enabled: true, variant: null, ...certain };
const off = { enabled: false, variant: null, ...certain };
const red = { enabled: true, variant: 'red', ...certain };
const flags = [
  { name: 'Checkout', project: 'shop', results: [on, on] },
  { name: 'search', project: 'shop', results: [on, off] },
  { name: 'theme', project: 'web', results: [red, on] },
  { name: 'old', project: 'web', results: [off, off] },
];

it.each([
  [{ show: 'on' }, ['Checkout', 'search', 'theme']],
  [{ show: 'off' }, ['search', 'old']],
  [{ show: 'variant' }, ['theme']],
  [{ show: 'different' }, ['search', 'theme']],
  [{ q: 'CHECK' }, ['Checkout']],
  [{ q: ' web ', show: 'off' }, ['old']],
  [{}, ['Checkout', 'search', 'theme', 'old']],
])('narrows flags by %j', (filters, names) => {
  const shown = filterTable(flags, { q: '', show: '', ...filters });
  expect(shown.map(({ name }) => name)).toEqual(names);
});

describe('the names of columns', () => {
  const column = (environment: string, userId: string, region = 'eu') => ({
    environment,
    context: { userId, properties: { region } },
  });

  it('are what differs between them', () => {
    expect(
      columnLabels([column('production', 'ada'), column('production', 'bob')]),
    ).toEqual(['ada', 'bob']);
    expect(
      columnLabels([column('development', 'ada'), column('production', 'ada')]),
    ).toEqual(['development', 'production']);
    expect(
      columnLabels([
        column('development', 'ada'),
        column('production', 'ada', ''),
      ]),
    ).toEqual(['development · eu', 'production · –']);
  });

  it('are the environment if there is one column', () => {
    expect(columnLabels([column('production', 'ada')])).toEqual(['production']);
    expect(columnLabels([])).toEqual([]);
  });
});
