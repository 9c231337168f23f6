import { mockServices } from '@backstage/backend-test-utils';
import { aWorkspace } from '../__testUtils__/workspaces';
import { openStore } from './__testUtils__/openStore';
import { IdleMonitor } from './expiry';
import { WorkspaceLifecycle } from './WorkspaceLifecycle';
import { workspaceDatabases } from './__testUtils__/workspaceDatabases';

const databases = workspaceDatabases();

async function createMonitor(idleTimeoutMinutes: number | null) {
  const { store } = await openStore(databases);
  const stopped: { id: string; reason?: string }[] = [];
  const clock = { now: new Date('2026-05-01T12:00:00.000Z') };
  const lifecycle: Pick<WorkspaceLifecycle, 'stop'> = {
    stop: async ({ id }, { reason, unusedSince } = {}) => {
      const change = { status: 'Stopping' as const };
      const moved = await store.transition(
        id,
        ['Running'],
        change,
        unusedSince,
      );
      if (moved) {
        stopped.push({ id, reason });
      }
      return moved;
    },
  };
  const monitor = new IdleMonitor({
    store,
    lifecycle,
    logger: mockServices.rootLogger(),
    idleTimeoutMinutes,
    now: () => clock.now,
  });
  return { store, stopped, clock, monitor };
}

describe('IdleMonitor', () => {
  it('stops workspaces that are idle for too long, and no others', async () => {
    const { store, stopped, clock, monitor } = await createMonitor(30);
    const lastUsedAt = clock.now.toISOString();
    const unused = aWorkspace({ status: 'Running', lastUsedAt });
    const used = aWorkspace({ status: 'Running', lastUsedAt });
    const extended = aWorkspace({
      status: 'Running',
      lastUsedAt,
      extendedUntil: '2026-05-01T13:30:00.000Z',
    });
    for (const workspace of [unused, used, extended]) {
      await store.insert(workspace);
    }

    clock.now = new Date('2026-05-01T12:29:00.000Z');
    monitor.used(used.id);
    await monitor.check();
    expect(stopped).toEqual([]);

    clock.now = new Date('2026-05-01T12:30:00.000Z');
    await monitor.check();
    expect(stopped).toEqual([
      { id: unused.id, reason: 'Stopped after 30 minutes without use' },
    ]);
    await expect(store.get(used.id)).resolves.toMatchObject({
      lastUsedAt: '2026-05-01T12:29:00.000Z',
    });
  });

  it.each([
    [1, 'Stopped after 1 minute without use'],
    [480, 'Stopped after 8 hours without use'],
  ])('names an idle timeout of %i minutes', async (minutes, reason) => {
    const { store, stopped, clock, monitor } = await createMonitor(minutes);
    const lastUsedAt = clock.now.toISOString();
    await store.insert(aWorkspace({ status: 'Running', lastUsedAt }));
    clock.now = new Date('2026-05-02T12:00:00.000Z');
    await monitor.check();
    expect(stopped).toMatchObject([{ reason }]);
  });

  it('gives people time to return after the portal was away', async () => {
    const { store, stopped, clock, monitor } = await createMonitor(30);
    const lastUsedAt = '2026-05-01T10:00:00.000Z';
    const [returned, left] = [1, 2].map(() =>
      aWorkspace({ status: 'Running', lastUsedAt }),
    );
    await store.insert(returned);
    await store.insert(left);
    await monitor.check();
    expect(stopped).toEqual([]);

    clock.now = new Date('2026-05-01T12:05:00.000Z');
    monitor.used(returned.id);
    await monitor.check();
    expect(stopped.map(({ id }) => id)).toEqual([left.id]);
  });

  it('keeps a workspace running that was used or extended meanwhile', async () => {
    const { store, stopped, clock, monitor } = await createMonitor(30);
    const old = { status: 'Running', lastUsedAt: clock.now.toISOString() };
    const used = aWorkspace({ ...old, status: 'Running' });
    const extended = aWorkspace({ ...old, status: 'Running' });
    await store.insert(used);
    await store.insert(extended);
    const list = store.listByStatus.bind(store);
    vi.spyOn(store, 'listByStatus').mockImplementationOnce(async statuses => {
      const found = await list(statuses);
      monitor.used(used.id);
      await store.update(extended.id, {
        extendedUntil: '2026-05-01T13:30:00.000Z',
      });
      return found;
    });

    clock.now = new Date('2026-05-01T12:30:00.000Z');
    await monitor.check();
    expect(stopped).toEqual([]);
  });

  it('keeps a time of use that could not be stored', async () => {
    const { store, clock, monitor } = await createMonitor(30);
    const workspace = aWorkspace({ status: 'Running' });
    await store.insert(workspace);
    monitor.used(workspace.id);
    const usedAt = clock.now.toISOString();
    vi.spyOn(store, 'update').mockRejectedValueOnce(new Error('no connection'));
    await expect(monitor.flush()).rejects.toThrow('no connection');

    clock.now = new Date('2026-05-01T12:01:00.000Z');
    await monitor.flush();
    await expect(store.get(workspace.id)).resolves.toMatchObject({
      lastUsedAt: usedAt,
    });
  });

  it('stops nothing when there is no idle time', async () => {
    const { store, stopped, clock, monitor } = await createMonitor(null);
    await store.insert(aWorkspace({ status: 'Running' }));
    clock.now = new Date('2036-01-01T00:00:00.000Z');
    await monitor.check();

    expect(stopped).toEqual([]);
  });
});
