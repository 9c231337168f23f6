import {
  allOf,
  anyOf,
  call,
  COUNT,
  equals,
  type Expression,
  not,
  type Property,
  type Select,
  valueOf,
} from '../../query/language/Expression.ts';
import { listPeople } from './listPeople.ts';

const PERSON: Expression = { kind: 'column', name: 'person' };
const EVENT: Expression = { kind: 'column', name: 'event' };
const property = (name: string): Property => ({
  kind: 'property',
  path: [name],
  as: 'text',
  owner: 'person',
});
const PLAN = property('plan');
const isPro = equals(PLAN, 'pro');
const isSwiss = equals(property('country'), 'CH');
const hasNoPlan = call('isNull', [PLAN], 'boolean');
const isBought = equals(EVENT, 'bought');

const counted = (...where: Expression[]): Select => ({
  kind: 'select',
  from: { kind: 'events', projectId: 'shop' },
  columns: [COUNT],
  where,
  groupBy: [],
});
const listed = (where: Expression, name: 'in' | 'notIn' = 'in') =>
  call(
    name,
    [
      PERSON,
      {
        kind: 'query',
        select: {
          kind: 'select',
          from: { kind: 'persons', projectId: 'shop' },
          columns: [PERSON],
          where: [where],
        },
        of: 'text',
      },
    ],
    'boolean',
  );

it.each<[string, Expression[], Expression]>([
  ['one list', [isPro], listed(isPro)],
  [
    'one list for conditions that must all be met',
    [isPro, isBought, allOf([isSwiss])],
    allOf([listed(allOf([isPro, isSwiss])), isBought]),
  ],
  [
    'one list for alternative conditions',
    [anyOf([isPro, isBought, isSwiss])],
    anyOf([listed(anyOf([isPro, isSwiss])), isBought]),
  ],
  [
    'a negated list if people without a profile meet them',
    [hasNoPlan],
    listed(not(hasNoPlan), 'notIn'),
  ],
  [
    'one negated list if people without a profile meet all of them',
    [not(isPro), anyOf([hasNoPlan, isSwiss])],
    listed(not(allOf([not(isPro), anyOf([hasNoPlan, isSwiss])])), 'notIn'),
  ],
  ['they are, if they are not about people', [isBought], isBought],
])('writes conditions as %s', (_name, where, expected) => {
  expect(listPeople(counted(...where)).where).toEqual([expected]);
});

it('lists people in aggregates, groups and inner queries', () => {
  const inner: Select = {
    ...counted(isPro),
    columns: [PERSON],
    groupBy: [PERSON],
  };
  const among = (select: Select) =>
    call('in', [PERSON, { kind: 'query', select, of: 'text' }], 'boolean');
  const select = (condition: Expression, list: Expression): Select => ({
    ...counted(list),
    columns: [
      call('plus', [{ ...COUNT, when: condition }, COUNT], 'number'),
      condition,
    ],
    groupBy: [condition],
    having: [condition],
  });
  expect(listPeople(select(isPro, among(inner)))).toEqual(
    select(listed(isPro), among({ ...inner, where: [listed(isPro)] })),
  );
  const outer: Select = { ...inner, from: inner, where: [] };
  expect(listPeople(outer).from).toEqual({ ...inner, where: [listed(isPro)] });
});

it('keeps the join where values are read, or only an engine can tell the result', () => {
  const broken = { ...counted(isPro), columns: [COUNT, PLAN], groupBy: [PLAN] };
  expect(listPeople(broken)).toEqual(broken);
  const either = call('coalesce', [PLAN, valueOf('free')], 'text');
  const unknown = counted(isPro, equals(either, 'free'));
  const kept = { ...unknown, where: [allOf(unknown.where)] };
  expect(listPeople(unknown)).toEqual(kept);
});
