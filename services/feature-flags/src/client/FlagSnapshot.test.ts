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

/** Creates a store that responds only when the test calls `answer`. */
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
  // It reads everything again; until that has arrived, it must not return any flags.
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

  // The flag was archived and then deleted before this replica noticed that it was archived.
  const deleted = { lineage: 'one', revision: 3, deletion: 3 };
  const second = snapshot.refresh();
  await store.answer({ ...deleted, flags: [] });
  expect(names()).toEqual(['checkout', 'search']);
  await store.answer({ ...deleted, flags: [search] });
  await second;
  expect(names()).toEqual(['search']);

  // After that, it reads only the changes.
  const third = snapshot.refresh();
  await store.answer({ ...deleted, revision: 4, flags: [flag] });
  await third;
  expect(names()).toEqual(['checkout', 'search']);
});
