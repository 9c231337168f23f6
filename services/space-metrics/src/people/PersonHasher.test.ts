import { canonicalUserId, PersonHasher } from './person.ts';

it.each([
  ['ada', 'user:default/ada'],
  ['User:Default/Ada', 'user:default/ada'],
  ['user:ada', 'user:default/ada'],
  ['guests/ada', 'user:guests/ada'],
  [' Ada@Example.ORG ', 'ada@example.org'],
  ['', 'user:default/'],
])('normalizes %j to %j', (id, canonical) => {
  expect(canonicalUserId(id)).toBe(canonical);
});

it('hashes with a key', () => {
  const one = new PersonHasher({ key: 'one' });
  expect(one.hash('ada')).toMatch(/^[0-9a-f]{32}$/);
  expect(one.hash('ADA')).toBe(one.hash('user:default/ada'));
  expect(one.hash('ada')).not.toBe(
    new PersonHasher({ key: 'two' }).hash('ada'),
  );
});
