import { formatOrder, parseOrder, sortRows } from '@slipway/design-system';
import { aComparison } from '../../__testUtils__/metrics';
import { BY_NAME, SORT_BY } from './Breakdown';

const columns = SORT_BY.map(({ id }) => id);

const items = [
  aComparison('shop', { changeFailureRate: { value: 9, samples: 20 } }),
  aComparison('idle', { changeFailureRate: { value: 0, samples: 0 } }),
  aComparison('core', { changeFailureRate: { value: 2, samples: 50 } }),
];

describe('Breakdown', () => {
  it.each([
    ['', ['core', 'idle', 'shop']],
    ['-name', ['shop', 'idle', 'core']],
    ['changeFailureRate', ['core', 'shop', 'idle']],
    ['-changeFailureRate', ['shop', 'core', 'idle']],
    ['weather', ['core', 'idle', 'shop']],
  ])('sorts by %j, what has no data last', (text, expected) => {
    const order = parseOrder(text, columns, BY_NAME);
    const sorted = sortRows(items, SORT_BY, order);
    expect(sorted.map(item => item.name)).toEqual(expected);
  });

  it('formats an order in the format that it parses', () => {
    for (const text of [
      '',
      '-name',
      'leadTimeForChanges',
      '-changeFailureRate',
    ]) {
      const order = parseOrder(text, columns, BY_NAME);
      expect(formatOrder(order, BY_NAME)).toBe(text);
    }
  });
});
