import { InvalidRequestError } from '@slipway/service-kit';
import { contextsOf } from './contextValues.ts';

it('combines the values of all lists, and keeps what is no list', () => {
  expect(
    contextsOf(
      {
        userId: 'ada, bob',
        age: 7,
        properties: { plan: 'free,paid', eu: 'x' },
      },
      4,
    ),
  ).toEqual(
    ['ada', 'bob'].flatMap(userId =>
      ['free', 'paid'].map(plan => ({
        userId,
        age: 7,
        properties: { plan, eu: 'x' },
      })),
    ),
  );
});

it('leaves out values that are empty or repeated', () => {
  expect(contextsOf({ userId: ' ada,,ada , ' }, 1)).toEqual([
    { userId: 'ada' },
  ]);
  expect(contextsOf({ userId: ',' }, 1)).toEqual([{ userId: '' }]);
});

it('does not divide a time', () => {
  const currentTime = 'Sat, 28 Nov 2026 10:00:00 GMT';
  expect(contextsOf({ currentTime }, 1)).toEqual([{ currentTime }]);
  expect(contextsOf({ currentTime: '2026-11-28,2026-11-29' }, 2)).toHaveLength(
    2,
  );
});

it('does not read a long text as a time, which every context would have', () => {
  const zones = ' GMT'.repeat(50);
  const currentTime = `Sat, 28 Nov 2026 10:00:00${zones}`;
  expect(Date.parse(currentTime)).not.toBeNaN();
  expect(contextsOf({ currentTime }, 2)).toHaveLength(2);
});

it('refuses more combinations before it makes them', () => {
  const list = Array.from({ length: 1_000 }, (_, index) => index).join(',');
  const members = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`field-${index}`, list]),
  );
  expect(() => contextsOf(members, 100)).toThrow(InvalidRequestError);
});

it('refuses many properties, each of which every context would have', () => {
  const withProperties = (count: number) => ({
    userId: 'ada, bob',
    properties: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`field-${index}`, ',']),
    ),
  });
  expect(() => contextsOf(withProperties(101), 100)).toThrow(
    'context.properties must have at most 100 fields',
  );
  const [, last] = contextsOf(withProperties(100), 100);
  expect(last).toMatchObject({ userId: 'bob', properties: { 'field-99': '' } });
});
