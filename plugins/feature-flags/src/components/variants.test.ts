import type { Variant } from '../api/flags';
import { totalPercent, withAnother, withSharedWeights } from './variants';

const weights = (variants: readonly Variant[]) =>
  variants.map(({ weight }) => weight);

it('shares equally, and what is left by fixed weights', () => {
  const three = withAnother(withAnother(withAnother([])));
  expect(weights(three)).toEqual([334, 333, 333]);
  const [first, ...others] = three;
  const fixed = withSharedWeights([
    { ...first, weight: 500, weightType: 'fix' },
    ...others,
  ]);
  expect(weights(fixed)).toEqual([500, 250, 250]);
  expect(totalPercent(fixed)).toBe(100);
});

it('leaves fixed weights as they are, also where they are too much or too little', () => {
  const only: Variant[] = [{ name: 'a', weight: 300, weightType: 'fix' }];
  expect(totalPercent(withSharedWeights(only))).toBe(30);
  const more = withAnother([{ name: 'a', weight: 1_200, weightType: 'fix' }]);
  expect(weights(more)).toEqual([1_200, 0]);
});

it('names variants apart', () => {
  const names = withAnother([{ name: 'variant-2', weight: 1_000 }]);
  expect(names.map(({ name }) => name)).toEqual(['variant-2', 'variant-3']);
});
