import { patient } from '@slipway/dev-runner/src/patience.ts';
import { parseQuantity } from './quantity';

describe('parseQuantity', () => {
  it.each([
    ['0', 0],
    ['1.5', 1.5],
    ['.5', 0.5],
    ['500m', 0.5],
    ['1k', 1_000],
    ['512Mi', 512 * 1024 * 1024],
    ['1Gi', 1024 ** 3],
    ['2e3', 2_000],
    ['1E', 1e18],
  ])('reads %s', (text, amount) => {
    expect(parseQuantity(text)).toBeCloseTo(amount);
  });

  it('does not lose time over long texts', () => {
    const started = performance.now();
    expect(parseQuantity(`${'1'.repeat(1_000_000)}x`)).toBeNull();
    expect(performance.now() - started).toBeLessThan(patient(1_000));
  });

  it.each(['', 'x', '-1', '1 Gi', '1gi', '1KB', '1e999', '٣', '1.2.3'])(
    'refuses %j',
    text => {
      expect(parseQuantity(text)).toBeNull();
    },
  );
});
