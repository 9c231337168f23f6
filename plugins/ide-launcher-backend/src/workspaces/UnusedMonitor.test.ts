import { mockServices } from '@backstage/backend-test-utils';
import { aWorkspace } from '../__testUtils__/workspaces';
import { openStore } from './__testUtils__/openStore';
import { CleanUpRules, UnusedMonitor } from './expiry';
import { WorkspaceEvents } from './WorkspaceEvents';
import { workspaceDatabases } from './__testUtils__/workspaceDatabases';

const databases = workspaceDatabases();
const DAY = 24 * 3_600_000;

async function createMonitor(
  rules: CleanUpRules | null = { afterMs: 30 * DAY, noticeMs: 7 * DAY },
) {
  const { store } = await openStore(databases);
  const told: { id: string; deletesAt: string }[] = [];
  const deleted: string[] = [];
  /** Workspaces whose files cannot be removed. */
  const stuck = new Set<string>();
  const clock = { now: new Date('2026-05-01T12:00:00.000Z') };
  const events = new WorkspaceEvents();
  events.onChange(({ id }, _state, reason) => {
    if (reason.kind === 'unused') {
      told.push({ id, deletesAt: reason.deletesAt.toISOString() });
    }
  });
  const monitor = new UnusedMonitor({
    store,
    lifecycle: {
      async delete({ id }, conditions) {
        const isDeleted = await store.markDeleting(id, conditions);
        if (stuck.has(id)) {
          throw new Error('EBUSY');
        }
        deleted.push(...(isDeleted ? [id] : []));
        return isDeleted;
      },
    },
    events,
    logger: mockServices.rootLogger(),
    rules,
    now: () => clock.now,
  });
  const passDays = async (days: number) => {
    clock.now = new Date(clock.now.getTime() + days * DAY);
    await monitor.check();
  };
  return { clock, deleted, monitor, passDays, store, stuck, told };
}

describe('UnusedMonitor', () => {
  it('notifies the owner first and deletes after the notice period', async () => {
    const { clock, deleted, monitor, passDays, store, told } =
      await createMonitor();
    const workspace = aWorkspace({ lastUsedAt: clock.now.toISOString() });
    await store.insert(workspace);
    await monitor.check();
    await passDays(22);
    expect(told).toEqual([]);

    await passDays(1);
    await passDays(1);
    expect(told).toEqual([
      { id: workspace.id, deletesAt: '2026-05-31T12:00:00.000Z' },
    ]);
    await passDays(5);
    expect(deleted).toEqual([]);
    await passDays(2);
    expect(deleted).toEqual([workspace.id]);
  });

  it('gives full notice to workspaces that were already unused for long', async () => {
    const { deleted, monitor, passDays, store, told } = await createMonitor();
    await store.insert(aWorkspace({ lastUsedAt: '2025-01-01T00:00:00.000Z' }));
    await monitor.check();
    expect(told[0].deletesAt).toBe('2026-05-08T12:00:00.000Z');
    await passDays(6);
    expect(deleted).toEqual([]);
    await passDays(2);
    expect(deleted).toHaveLength(1);
  });

  it('deletes others if one cannot be deleted', async () => {
    const { deleted, passDays, store, stuck } = await createMonitor();
    const lastUsedAt = '2025-01-01T00:00:00.000Z';
    const [one, other] = [
      aWorkspace({ lastUsedAt }),
      aWorkspace({ lastUsedAt }),
    ];
    await store.insert(one);
    await store.insert(other);
    stuck.add(one.id);
    await passDays(0);
    await passDays(8);
    expect(deleted).toEqual([other.id]);
  });

  it('spares running workspaces, and those used after the notice', async () => {
    const { clock, deleted, monitor, passDays, store, told } =
      await createMonitor();
    const lastUsedAt = '2026-04-01T00:00:00.000Z';
    const used = aWorkspace({ lastUsedAt });
    await store.insert(used);
    await store.insert(aWorkspace({ lastUsedAt, status: 'Running' }));
    await monitor.check();
    expect(told.map(({ id }) => id)).toEqual([used.id]);

    await passDays(1);
    await store.update(used.id, { lastUsedAt: clock.now.toISOString() });
    await passDays(20);
    expect(deleted).toEqual([]);
    expect(told).toHaveLength(1);
    await passDays(5);
    expect(told).toHaveLength(2);
  });

  it('spares workspaces that are started or used while it deletes others', async () => {
    const { deleted, monitor, passDays, store } = await createMonitor();
    const lastUsedAt = '2026-04-01T00:00:00.000Z';
    const [started, used] = [
      aWorkspace({ lastUsedAt }),
      aWorkspace({ lastUsedAt }),
    ];
    await store.insert(started);
    await store.insert(used);
    await monitor.check();
    const list = store.listByStatus.bind(store);
    vi.spyOn(store, 'listByStatus').mockImplementationOnce(async statuses => {
      const found = await list(statuses);
      await store.update(started.id, { status: 'Starting' });
      await store.update(used.id, { lastUsedAt: '2026-05-20T00:00:00.000Z' });
      return found;
    });

    await passDays(20);
    expect(deleted).toEqual([]);
  });

  it.each([[undefined], [null]])(
    'deletes imported workspaces only when their importer said so, without notices, with rules %j',
    async rules => {
      const { deleted, passDays, store, told } = await createMonitor(rules);
      const imported = {
        importedFrom: 'tool',
        lastUsedAt: '2025-01-01T00:00:00.000Z',
      };
      const due = aWorkspace({
        ...imported,
        keptUntil: '2026-05-03T00:00:00.000Z',
      });
      await store.insert(due);
      await store.insert(aWorkspace(imported));
      await passDays(1);
      expect(deleted).toEqual([]);
      await passDays(1);
      expect(deleted).toEqual([due.id]);
      await passDays(100);
      expect(new Set(deleted)).toEqual(new Set([due.id]));
      expect(told).toEqual([]);
    },
  );
});
