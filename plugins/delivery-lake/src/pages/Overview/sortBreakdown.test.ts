import { aComparison } from '../../__testUtils__/metrics';
import { formatOrder, parseOrder, sortBreakdown } from './sortBreakdown';

const items = [
  aComparison('shop', { changeFailureRate: { value: 9, samples: 20 } }),
  aComparison('idle', { changeFailureRate: { value: 0, samples: 0 } }),
  aComparison('core', { changeFailureRate: { value: 2, samples: 50 } }),
];

describe('sortBreakdown', () => {
  it.each([
    ['', ['core', 'idle', 'shop']],
    ['-name', ['shop', 'idle', 'core']],
    ['changeFailureRate', ['core', 'shop', 'idle']],
    ['-changeFailureRate', ['shop', 'core', 'idle']],
    ['weather', ['core', 'idle', 'shop']],
  ])('sorts by %j, what has no data last', (text, expected) => {
    const sorted = sortBreakdown(items, parseOrder(text));
    expect(sorted.map(item => item.name)).toEqual(expected);
  });

  it('writes an order as it is read', () => {
    for (const text of [
      '',
      '-name',
      'leadTimeForChanges',
      '-changeFailureRate',
    ]) {
      expect(formatOrder(parseOrder(text))).toBe(text);
    }
  });
});
