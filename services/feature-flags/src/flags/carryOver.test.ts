import { ConflictError } from '@slipway/service-kit';
import type { Strategy } from '../model/Flag.ts';
import { carryOver } from './carryOver.ts';

const strategy = (id: string, title = id): Strategy => ({
  id,
  name: 'default',
  title,
  parameters: {},
});

const carry = (
  from: readonly Strategy[],
  to: readonly Strategy[],
  now: readonly Strategy[],
) =>
  carryOver<{ strategies: readonly Strategy[] }>(
    { from: { strategies: from }, to: { strategies: to } },
    { strategies: now },
  ).strategies?.map(({ title }) => title);

const [a, b, c] = ['a', 'b', 'c'].map(id => strategy(id));

describe('carrying a change of strategies over later changes', () => {
  it('changes, adds and removes them one by one', () => {
    expect(carry([a, b], [strategy('a', 'new a')], [c, a, b])).toEqual([
      'c',
      'new a',
    ]);
    expect(carry([a], [a, c], [strategy('a', 'theirs')])).toEqual([
      'theirs',
      'c',
    ]);
  });

  it('is refused if one of them has changed', () => {
    expect(() =>
      carry([a], [strategy('a', 'mine')], [strategy('a', 'theirs')]),
    ).toThrow(ConflictError);
  });

  it('sets their order only if no other one has changed', () => {
    expect(carry([a, b], [b, strategy('a', 'mine')], [a, b])).toEqual([
      'b',
      'mine',
    ]);
    // The first strategy that matches decides the variant, and their order would be lost.
    expect(() => carry([a, b], [b, strategy('a', 'mine')], [a, b, c])).toThrow(
      ConflictError,
    );
  });
});
