import { FlagSnapshot } from './FlagSnapshot.ts';
import { scopeQuery } from './scopeQuery.ts';
import type { FlagDelta } from '../storage/FlagStore.ts';
import { type Flag, NEW_TRAITS } from '../model/Flag.ts';

const everything = scopeQuery({ projects: ['*'], environment: 'development' });

const flag: Flag = {
  ...NEW_TRAITS,
  name: 'checkout',
  project: 'default',
  createdAt: 0,
  updatedAt: 0,
  archivedAt: null,
  states: {},
  revisions: { latest: 1, shared: 1, states: {} },
};

/** A store that answers when it is told to. */
function slowStore() {
  const waiting: ((delta: FlagDelta) => void)[] = [];
  return {
    changedSince: () =>
      new Promise<FlagDelta>(resolve => {
        waiting.push(resolve);
      }),
    async answer(delta: FlagDelta) {
      await vi.waitUntil(() => waiting.length > 0);
      waiting.shift()?.(delta);
    },
  };
}

it.each([
  ['another database', 'new', 5],
  ['an older state of the same one', 'old', 0],
])('throws while it reads %s', async (_what, lineage, revision) => {
  const store = slowStore();
  const segments = { list: async () => [] };
  const snapshot = new FlagSnapshot({ flags: store, segments });
  const names = () => snapshot.select(everything).flags.map(({ name }) => name);
  expect(names).toThrow('Flags are being loaded');
  const first = snapshot.refresh();
  await store.answer({
    lineage: 'old',
    revision: 1,
    deletion: 0,
    flags: [flag],
  });
  await first;
  expect(names()).toEqual(['checkout']);

  const second = snapshot.refresh();
  await store.answer({ lineage, revision, deletion: 0, flags: [] });
  // It asks for all of it: until that is here, no flags would be wrong.
  await vi.waitUntil(() => {
    try {
      names();
      return false;
    } catch {
      return true;
    }
  });
  await store.answer({
    lineage,
    revision,
    deletion: 0,
    flags: [{ ...flag, name: 'search' }],
  });
  await second;
  expect(names()).toEqual(['search']);
});

it('reads everything after a deletion, and answers meanwhile', async () => {
  const store = slowStore();
  const segments = { list: async () => [] };
  const snapshot = new FlagSnapshot({ flags: store, segments });
  const names = () => snapshot.select(everything).flags.map(({ name }) => name);
  const first = snapshot.refresh();
  const search = { ...flag, name: 'search' };
  const all = { lineage: 'one', revision: 1, deletion: 0 };
  await store.answer({ ...all, flags: [flag, search] });
  await first;

  // It was archived and deleted before this replica noticed the former.
  const deleted = { lineage: 'one', revision: 3, deletion: 3 };
  const second = snapshot.refresh();
  await store.answer({ ...deleted, flags: [] });
  expect(names()).toEqual(['checkout', 'search']);
  await store.answer({ ...deleted, flags: [search] });
  await second;
  expect(names()).toEqual(['search']);

  // Once that is known, changes are enough.
  const third = snapshot.refresh();
  await store.answer({ ...deleted, revision: 4, flags: [flag] });
  await third;
  expect(names()).toEqual(['checkout', 'search']);
});
