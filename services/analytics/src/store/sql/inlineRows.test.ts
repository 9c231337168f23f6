import {
  call,
  COUNT,
  type Expression,
  equals,
  field,
  type Select,
  valueOf,
} from '../../query/language/Expression.ts';
import { ClickhouseDialect } from './ClickhouseDialect.ts';
import { compilePlan } from './compilePlan.ts';

const EVENT: Expression = { kind: 'column', name: 'event' };
const ID: Expression = { kind: 'column', name: 'distinct_id' };
const PLAN: Expression = { kind: 'property', path: ['plan'], as: 'text' };
const rows: Select = {
  kind: 'select',
  from: { kind: 'events', projectId: 'shop' },
  columns: [ID, call('lower', [EVENT], 'text')],
  where: [equals(EVENT, 'bought')],
};
const grouped: Select = {
  kind: 'select',
  from: rows,
  columns: [field(1, 'text'), COUNT],
  where: [],
  groupBy: [field(1, 'text')],
};

const write = (select: Select) =>
  compilePlan(
    { projectId: 'shop', select },
    new ClickhouseDialect({ groupTypes: [] }),
  );
const selectsIn = (select: Select) => write(select).match(/SELECT/g)?.length;

it('groups the expressions of a subquery that only names them', () => {
  expect(write(grouped)).toContain('lowerUTF8(event) AS v0');
  // The conditions of the subquery remain.
  expect(write(grouped)).toContain("event = unhex('626f75676874')");
  expect(selectsIn(grouped)).toBe(2);
});

it.each<[string, Select]>([
  ['is limited', { ...grouped, from: { ...rows, limit: 3 } }],
  [
    'has different rows only',
    { ...grouped, from: { ...rows, distinct: true } },
  ],
  ['groups', { ...grouped, from: { ...rows, groupBy: rows.columns } }],
])('reads a subquery that %s', (_, select) => {
  expect(selectsIn(select)).toBe(4);
});

it('reads a subquery if it computes something from its columns', () => {
  const doubled = call('concat', [field(1, 'text'), field(1, 'text')], 'text');
  const select = { ...grouped, columns: [doubled, COUNT], groupBy: [doubled] };
  expect(selectsIn(select)).toBe(4);
  const where = [equals(field(0, 'text'), 'ada')];
  expect(selectsIn({ ...grouped, where })).toBe(4);
});

it('replaces null only in conditions that can be null, and once', () => {
  const counted = (when: Expression) =>
    write({
      ...rows,
      columns: [{ ...COUNT, when }],
      where: [],
      groupBy: [],
    });
  expect(counted(equals(EVENT, 'bought'))).not.toContain('ifNull');
  expect(counted(equals(PLAN, 'pro')).match(/ifNull/g)).toHaveLength(1);
  const eitherOr = call('if', [equals(PLAN, 'pro'), EVENT, ID], 'text');
  expect(
    write({ ...rows, columns: [eitherOr], where: [] }).match(/ifNull/g),
  ).toHaveLength(1);
  const either = call('coalesce', [valueOf(1), valueOf(2.5)], 'number');
  expect(write({ ...rows, columns: [either] })).toContain(
    'coalesce(toFloat64(1), toFloat64(2.5))',
  );
});
