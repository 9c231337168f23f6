import { scopeName, scopeRef } from './ScopeResolver';

it.each([
  ['team', 'payments', 'group:default/payments', 'payments'],
  ['team', 'Group:Default/Payments', 'group:default/payments', 'payments'],
  ['team', 'emea/search', 'group:emea/search', 'group:emea/search'],
  ['team', 'user:ada', 'user:default/ada', 'user:default/ada'],
  ['project', 'shop', 'system:default/shop', 'shop'],
  ['service', 'till', 'component:default/till', 'till'],
] as const)('finds the %s that %s means', (kind, given, ref, short) => {
  expect(scopeRef(kind, given)).toBe(ref);
  expect(scopeName(kind, ref)).toBe(short);
  expect(scopeRef(kind, short)).toBe(ref);
});

it.each(['', ':', 'group:'])('finds nothing in %j', name => {
  expect(scopeRef('team', name)).toBeUndefined();
});
