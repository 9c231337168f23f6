import type { ActionSubject, PaletteItem } from '@slipway/app-react';
import { CALL, openSource } from '@slipway/test-pages';
import {
  createFakeFlagsApi,
  type FakeFlagsApi,
} from './__testUtils__/FakeFlagsApi';
import { flagsApiRef } from './api/FlagsApi';
import { flagsPalette } from './palette';

const open = (api: FakeFlagsApi) =>
  openSource(flagsPalette, [[flagsApiRef, api]]);

const titles = (items: readonly PaletteItem[]) =>
  items.map(({ title }) => title);

const runOf = (items: readonly PaletteItem[], name: string) => {
  const item = items.find(({ title }) => title === name);
  if (item?.act.type !== 'run') {
    throw new Error(`No action named ${name}`);
  }
  return item.act;
};

it('finds flags, and turns one off, which can be undone', async () => {
  const api = createFakeFlagsApi();
  const items = await open(api).list!(CALL);
  expect(titles(items)).toEqual([
    'Create flag',
    'checkout',
    'old-search',
    'Turn off checkout',
    'Turn on checkout in production',
    'Turn on old-search',
    'Turn on old-search in production',
  ]);
  const off = runOf(items, 'Turn off checkout');
  expect(off.confirm).toBeUndefined();
  const done = await off.run();
  expect(done?.title).toBe('checkout is off');
  expect(done?.link).toEqual({ label: 'View flag', href: '/checkout' });
  expect(api.flags[0].enabled).toBe(false);
  await done?.undo?.();
  expect(api.flags[0].enabled).toBe(true);
});

it('asks before it changes production', async () => {
  const items = await open(createFakeFlagsApi()).list!(CALL);
  const { confirm } = runOf(items, 'Turn on checkout in production');
  expect(confirm).toMatchObject({
    title: 'Turn on checkout in production?',
    label: 'Turn on',
  });
});

it('requests the change where an environment needs approval', async () => {
  const api = createFakeFlagsApi();
  api.production = { ...api.production, protected: true };
  const items = await open(api).list!(CALL);
  const act = runOf(items, 'Turn on checkout in production');
  expect(act.confirm?.label).toBe('Request change');
  expect(await act.run()).toMatchObject({
    title: 'Change request 1 created',
    link: { label: 'View change requests' },
  });
  expect(api.requests).toMatchObject([{ featureName: 'checkout' }]);
  expect(api.production.enabled).toBe(false);
});

it('offers no changes to those who may not make them', async () => {
  const api = createFakeFlagsApi();
  api.user = { ...api.user, mayChange: false, projects: [] };
  expect(titles(await open(api).list!(CALL))).toEqual([
    'checkout',
    'old-search',
  ]);
});

it('turns off what may be why something failed, and nothing that is off', async () => {
  const source = open(createFakeFlagsApi());
  const about = async (subject: Partial<ActionSubject>) =>
    titles(
      await source.actionsFor!(
        { kind: 'flag', title: '', page: '', ...subject },
        CALL,
      ),
    );
  const page = '/flags/flag/old-search?tab=1';
  expect(await about({ page })).toEqual([
    'Turn on old-search',
    'Turn on old-search in production',
  ]);
  expect(await about({ page, failed: true })).toEqual([]);
  expect(await about({ page: '/flags/flag/checkout', failed: true })).toEqual([
    'Turn off checkout',
  ]);
  expect(await about({ kind: 'build', page })).toEqual([]);
});

it('says where it turns off what failed, production first', async () => {
  const api = createFakeFlagsApi();
  api.production = { ...api.production, enabled: true };
  const subject = { kind: 'flag', title: '', failed: true } as const;
  expect(
    titles(
      await open(api).actionsFor!(
        { ...subject, page: '/flags/flag/checkout' },
        CALL,
      ),
    ),
  ).toEqual([
    'Turn off checkout in production',
    'Turn off checkout in development',
  ]);
});
