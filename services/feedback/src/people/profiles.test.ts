import { Profiles } from './profiles.ts';

const GRACE = 'user:default/grace';

/** A catalog with one user that can be taken down and records its requests. */
function fakePortal() {
  const portal = {
    asked: [] as string[],
    isDown: false,
    async get(path: string): Promise<unknown> {
      portal.asked.push(path);
      if (portal.isDown) {
        throw new TypeError('fetch failed');
      }
      return {
        spec: { profile: { displayName: 'Grace', email: 'grace@example.org' } },
      };
    },
  };
  return portal;
}

it('queries the catalog once in five minutes', async () => {
  const portal = fakePortal();
  const clock = { now: 0 };
  const profiles = new Profiles({ portal, now: () => clock.now });
  const expected = { name: 'Grace', email: 'grace@example.org' };
  expect(await profiles.of(GRACE)).toEqual(expected);
  clock.now += 4 * 60_000;
  expect(await profiles.of(GRACE)).toEqual(expected);
  expect(portal.asked).toEqual([
    '/api/catalog/entities/by-name/user/default/grace',
  ]);
  clock.now += 60_000;
  await profiles.of(GRACE);
  expect(portal.asked).toHaveLength(2);
});

it('uses the reference while the catalog is down, and not much longer', async () => {
  const portal = fakePortal();
  const clock = { now: 0 };
  const profiles = new Profiles({ portal, now: () => clock.now });
  portal.isDown = true;
  expect(await profiles.of(GRACE)).toEqual({ name: 'grace', email: null });
  await profiles.of(GRACE);
  expect(portal.asked).toHaveLength(1);
  portal.isDown = false;
  clock.now += 10_000;
  expect((await profiles.of(GRACE)).name).toBe('Grace');
});
