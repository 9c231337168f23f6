import {
  call,
  COUNT,
  type Expression,
  listOf,
  type Select,
  valueOf,
} from '../../query/language/Expression.ts';
import { ClickhouseDialect } from './ClickhouseDialect.ts';
import { compilePlan } from './compilePlan.ts';

const PERSON: Expression = { kind: 'column', name: 'person' };
const BOUGHT: Select = {
  kind: 'select',
  from: { kind: 'events', projectId: 'shop', events: ['bought'] },
  columns: [PERSON],
  where: [],
  groupBy: [PERSON],
};
const plan: Expression = {
  kind: 'property',
  path: ['plan'],
  as: 'text',
  owner: 'person',
};
const didBuy = call(
  'in',
  [PERSON, { kind: 'query', select: BOUGHT, of: 'text' }],
  'boolean',
);

it('are written alike, without what only the outer query reads', () => {
  const statement = compilePlan(
    {
      projectId: 'shop',
      select: {
        kind: 'select',
        from: { kind: 'events', projectId: 'shop' },
        // A breakdown by a property of persons needs a join with persons.
        columns: [COUNT, plan],
        // One condition comes before the property of persons, one after it.
        where: [
          didBuy,
          call('equals', [plan, valueOf('pro')], 'boolean'),
          didBuy,
        ],
        groupBy: [plan],
      },
    },
    new ClickhouseDialect({ groupTypes: [] }),
  );
  const written = [
    ...statement.matchAll(/IN (\(SELECT c0 FROM [^]*?c0 IS NOT NULL\))/g),
  ].map(([, list]) => list);
  expect(written).toHaveLength(2);
  expect(new Set(written).size).toBe(1);
  expect(written[0]).not.toContain('person_texts');
  expect(statement).toContain('person_texts');
});

it('share the lists of their statement', () => {
  const isListed = call('in', [PERSON, listOf(['ada'])], 'boolean');
  const inner: Select = { ...BOUGHT, where: [isListed] };
  const statement = compilePlan(
    {
      projectId: 'shop',
      select: {
        ...inner,
        where: [
          isListed,
          call(
            'in',
            [PERSON, { kind: 'query', select: inner, of: 'text' }],
            'boolean',
          ),
        ],
      },
    },
    new ClickhouseDialect({ groupTypes: [] }),
  );
  expect(statement.match(/base64Decode/g)).toHaveLength(1);
});

it('have all their groups, even if the outer query stops after some', () => {
  const statement = compilePlan(
    {
      projectId: 'shop',
      select: { ...BOUGHT, where: [didBuy], maxGroups: 10_000 },
    },
    new ClickhouseDialect({ groupTypes: [] }),
  );
  // Otherwise, the limit of the outer query would truncate the list too.
  expect(statement).toMatch(
    /IN \(SELECT c0 FROM [^]+GROUP BY \w+\s+SETTINGS max_rows_to_group_by = 0\)/,
  );
});
