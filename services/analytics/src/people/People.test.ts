import { People } from './People.ts';

const erasure = (id: string) => ({
  id,
  projectId: 'shop',
  ids: [id],
  requestedAt: 0,
  requestedBy: 'user:default/ada',
});

it('carries out the other erasures if one fails', async () => {
  const finished: string[] = [];
  const people = new People({
    persons: {
      find: async () => undefined,
      list: async () => [],
      remove: async (_projectId, ids) => {
        if (ids.includes('first')) {
          throw new Error('refused');
        }
      },
    },
    cohorts: { lists: async () => false },
    erasures: {
      add: async () => undefined,
      finish: async id => void finished.push(id),
      list: async () => [],
      pending: async () => [erasure('first'), erasure('second')],
    },
    erased: { read: async () => undefined },
    events: {
      applyPeople: async () => undefined,
      deferred: { has: () => false },
      deletes: { ids: async () => undefined },
      query: async () => ({ rows: [] }),
    },
    waitMs: 0,
    now: () => 1,
  });
  await expect(
    people.carryOut(new AbortController().signal),
  ).rejects.toMatchObject({
    message: '1 of 2 erasures failed: refused',
    errors: [expect.objectContaining({ message: 'refused' })],
  });
  expect(finished).toEqual(['second']);
});
