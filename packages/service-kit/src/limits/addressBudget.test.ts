import { addressBudget } from './RateLimits.ts';

it.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
  ['2001:DB8:1:2:0:0:0:1', '2001:db8:1:2::2'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
])('counts %s and %s together', (one, other) => {
  expect(addressBudget(one)).toBe(addressBudget(other));
});

it.each([
  ['2001:db8:1:2::1', '2001:db8:1:3::1'],
  ['192.0.2.7', '192.0.2.8'],
  ['::ffff:192.0.2.7', '::ffff:192.0.2.8'],
  ['unknown:1', 'unknown:2'],
])('counts %s and %s apart', (one, other) => {
  expect(addressBudget(one)).not.toBe(addressBudget(other));
});

it('does not store the address', () => {
  expect(addressBudget('192.0.2.7')).toMatch(/^address:[\w-]{43}$/);
});
