import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EventJournal } from '../store/sqlite/EventJournal.ts';
import { PeopleCopies } from './PeopleCopies.ts';
import type { ChangesOfEvent, PersonChange } from './PersonChange.ts';

const change = (
  distinctId: string,
  ...changes: readonly PersonChange[]
): ChangesOfEvent => ({
  projectId: 'shop',
  distinctId,
  at: 1,
  changes: [{ kind: 'seen' }, ...changes],
});
const merge = (from: string): PersonChange => ({
  kind: 'merge',
  from,
  force: false,
});

/** A database that rejects batches with a certain person. */
class FakeStore {
  readonly applied: ChangesOfEvent[] = [];
  readonly #rejects: string;
  readonly #code: string;

  constructor(rejects: string, code: string) {
    this.#rejects = rejects;
    this.#code = code;
  }

  async apply(
    _to: object,
    changes: readonly (ChangesOfEvent & { seq: number })[],
  ): Promise<void> {
    if (changes.some(({ distinctId }) => distinctId === this.#rejects)) {
      throw Object.assign(new Error('rejected'), { code: this.#code });
    }
    this.applied.push(...changes);
  }

  async *changedAfter() {}

  groupTypes = async () => [];
  hasSharedIds = async () => false;
  removeGroup = async () => undefined;
  version = async () => 0;
}

let directory: string;
let journal: EventJournal;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'people-copies-'));
  journal = new EventJournal({ directory });
});

afterEach(async () => {
  journal.close();
  await rm(directory, { recursive: true, force: true });
});

it('drops a change that the database can never store, and applies all others in order', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `person-${index}`);
  journal.people.import(names.map(name => change(name)));
  const store = new FakeStore('person-7', '54000');
  const onDropped = vi.fn();
  await new PeopleCopies({ journal, store, onDropped }).apply();
  expect(store.applied.map(({ distinctId }) => distinctId)).toEqual(
    names.filter(name => name !== 'person-7'),
  );
  expect(onDropped).toHaveBeenCalledOnce();
  expect(journal.people.oldest(100)).toEqual([]);
});

it('keeps all changes while the database is not available', async () => {
  journal.people.import([change('ada'), change('grace')]);
  const store = new FakeStore('ada', 'ECONNREFUSED');
  const onDropped = vi.fn();
  await expect(
    new PeopleCopies({ journal, store, onDropped }).apply(),
  ).rejects.toThrow('rejected');
  expect(onDropped).not.toHaveBeenCalled();
  expect(journal.people.oldest(100)).toHaveLength(2);
});

it('leaves out erased people, whose changes were recorded before', async () => {
  journal.people.import([
    change('erased', { kind: 'update', set: { a: 1 }, setOnce: {}, unset: [] }),
    change('ada', merge('erased'), merge('device')),
  ]);
  const store = new FakeStore('nobody', '');
  const erased = {
    without: <E extends { distinctId: string }>(events: readonly E[]) =>
      events.filter(({ distinctId }) => distinctId !== 'erased'),
  };
  const copies = new PeopleCopies({
    journal,
    store,
    erased,
    onDropped: vi.fn(),
  });
  await copies.apply();
  expect(store.applied).toMatchObject([change('ada', merge('device'))]);
});

it('ignores the changes of erased ids in the queue, but not texts that equal an id', () => {
  const update = (set: Record<string, unknown>): PersonChange => ({
    kind: 'update',
    set,
    setOnce: {},
    unset: [],
  });
  journal.people.import([
    change('1', update({})),
    change('ada', update({ plan: '1', '1': 'a' })),
    change('grace', merge('1')),
    change('lin', merge('11')),
  ]);
  journal.people.erase('shop', ['1', '2']);
  expect(journal.people.oldest(10).map(({ distinctId }) => distinctId)).toEqual(
    ['ada', 'lin'],
  );
});

it.each([['x'.repeat(401)], ['nul-\0'], ['x'.repeat(4_000)]])(
  'identifies a person without an id that cannot be indexed',
  other => {
    journal.append([
      [
        {
          projectId: 'shop',
          uuid: '01890a5d-ac96-774b-bcce-b302099a8057',
          event: '$create_alias',
          distinctId: 'ada',
          timestamp: 1,
          createdAt: 1,
          properties: JSON.stringify({ alias: other }),
        },
      ],
    ]);
    expect(journal.people.oldest(10)).toMatchObject([
      { changes: [{ kind: 'seen' }, merge('ada'), { kind: 'update' }] },
    ]);
  },
);
