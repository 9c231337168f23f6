import { patient } from '@slipway/dev-runner/src/patience.ts';
import { type Profile, ProfileDraft } from './Profile.ts';

const EMPTY_PROFILE: Profile = { properties: {}, times: {} };
const NOTHING = { setOnce: {}, set: {}, unset: [] };
const updated = (
  profile: Profile,
  ...change: Parameters<ProfileDraft['update']>
) => {
  const draft = new ProfileDraft(profile);
  draft.update(...change);
  return draft.profile();
};
const merged = (into: Profile, from: Profile) => {
  const draft = new ProfileDraft(into);
  draft.merge(new ProfileDraft(from));
  return draft.profile();
};
const named = (prefix: string, count: number, value: unknown = 1) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`${prefix}${index}`, value]),
  );
const set = (profile: Profile, properties: Record<string, unknown>, at = 1) =>
  updated(profile, { ...NOTHING, set: properties }, at);
const bytesOf = (profile: Profile) =>
  Buffer.byteLength(JSON.stringify(profile));

it('has at most 5,000 names, also of removed properties', () => {
  const full = set(EMPTY_PROFILE, named('a', 6_000));
  expect(Object.keys(full.properties)).toHaveLength(5_000);
  const changed = updated(
    full,
    { setOnce: { b: 1 }, set: { a0: 2, c: 1 }, unset: ['a1', 'd'] },
    2,
  );
  expect(Object.keys(changed.times)).toHaveLength(5_000);
  expect(changed.properties).toMatchObject({ a0: 2, a2: 1 });
  expect(Object.keys(changed.properties)).toHaveLength(4_999);
});

it('ignores values that would make it too large, but no smaller ones', () => {
  const long = 'x'.repeat(100_000);
  const full = set(EMPTY_PROFILE, { ...named('a', 10, long), plan: 'free' });
  expect(Object.keys(full.properties)).toHaveLength(6);
  expect(full.properties.plan).toBe('free');
  expect(bytesOf(full)).toBeLessThan(512 * 1024);

  const grown = set(full, { plan: long, a0: '' }, 2);
  expect(grown.properties).toMatchObject({ plan: 'free', a0: '', a1: long });
});

it('stays within the limits when it is merged, and keeps its own values', () => {
  const into = set(EMPTY_PROFILE, { ...named('a', 3_000), plan: 'pro' }, 5);
  const from = set(EMPTY_PROFILE, { ...named('b', 3_000), plan: 'free' }, 9);
  const both = merged(into, from);
  expect(Object.keys(both.properties)).toHaveLength(5_000);
  expect(both.properties).toMatchObject({ plan: 'pro', a2999: 1, b0: 1 });
  expect(both.times).toMatchObject({ plan: 5, a0: 5, b0: 9 });
});

it('takes many updates of a large profile in a short time', () => {
  const draft = new ProfileDraft(
    set(EMPTY_PROFILE, named('a', 4_900, 'x'.repeat(80))),
  );
  const start = performance.now();
  for (let at = 2; at < 3_000; at += 1) {
    draft.update({ ...NOTHING, set: { visits: at } }, at);
  }
  expect(performance.now() - start).toBeLessThan(patient(2_000));
  expect(draft.profile().properties.visits).toBe(2_999);
});
