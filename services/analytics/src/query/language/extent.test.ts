import { call, valueOf } from './Expression.ts';
import { groupsBySize } from './extent.ts';

describe('groups of expressions', () => {
  // These have 2, 4, 1, 2 and 1 parts.
  const expressions = [
    call('not', [valueOf(1)], 'boolean'),
    call('in', [valueOf('a'), valueOf('b'), valueOf('c')], 'boolean'),
    valueOf(2),
    valueOf('a text as long as two parts'),
    valueOf(3),
  ];
  const [no, among, two, long, three] = expressions;

  it.each([
    [{ count: 9, parts: 100 }, [expressions]],
    [{ count: 2, parts: 100 }, [[no, among], [two, long], [three]]],
    [{ count: 9, parts: 5 }, [[no], [among, two], [long, three]]],
    [{ count: 9, parts: 1 }, expressions.map(each => [each])],
  ])('have at most %j, or one larger expression', (most, groups) => {
    expect(groupsBySize(expressions, most)).toEqual(groups);
  });

  it('do not exist without expressions', () => {
    expect(groupsBySize([], { count: 9, parts: 9 })).toEqual([]);
  });
});
