import type { Database } from '@slipway/service-kit';
import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { defineAnalytics } from '../../service.ts';
import { type SavedItem, type SavedKind, SavedStore } from './SavedStore.ts';

describe.each(testDatabaseClients())('saved items in %s', client => {
  let database: Database;
  let dispose: () => Promise<void>;

  beforeAll(async () => {
    ({ database, dispose } = await openTestDatabase(client, defineAnalytics()));
  });

  afterAll(() => dispose());

  const item = (
    id: string,
    kind: SavedKind,
    { projectId = 'shop', content = {} as object } = {},
  ): SavedItem => ({
    projectId,
    id,
    kind,
    name: id,
    content,
    version: 1,
    createdAt: 0,
    createdBy: 'user:default/ada',
    updatedAt: 0,
  });

  it('are added up to a number of each kind in a project', async () => {
    const store = new SavedStore(database);
    expect(await store.add(item('a', 'insight'), 2)).toBe(true);
    expect(await store.add(item('b', 'insight'), 2)).toBe(true);
    expect(await store.add(item('c', 'insight'), 2)).toBe(false);
    expect(await store.add(item('d', 'dashboard'), 2)).toBe(true);
    const other = item('c', 'insight', { projectId: 'other' });
    expect(await store.add(other, 2)).toBe(true);
    expect(await store.list('shop', 'insight')).toHaveLength(2);
  });

  it('are no longer on the dashboards of their project when deleted', async () => {
    const store = new SavedStore(database);
    const projectId = 'tiles';
    const content = { tiles: ['x', 'y', 'x-1'] };
    await store.add(item('x', 'insight', { projectId }), 9);
    await store.add(item('one', 'dashboard', { projectId, content }), 9);
    const others = { tiles: ['x-1'] };
    await store.add(
      item('two', 'dashboard', { projectId, content: others }),
      9,
    );
    await store.add(
      item('one', 'dashboard', { projectId: 'elsewhere', content }),
      9,
    );
    expect(await store.remove(item('x', 'insight', { projectId }))).toBe(true);
    expect(await store.list(projectId, 'dashboard')).toMatchObject([
      { id: 'one', content: { tiles: ['y', 'x-1'] }, version: 2 },
      { id: 'two', content: others, version: 1 },
    ]);
    expect(await store.list('elsewhere', 'dashboard')).toMatchObject([
      { content, version: 1 },
    ]);
  });
});
