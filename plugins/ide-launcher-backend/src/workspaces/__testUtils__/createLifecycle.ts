import { mockServices, TestDatabases } from '@backstage/backend-test-utils';
import { WorkspaceSignal } from '@slipway/plugin-ide-launcher-common';
import { eventually } from '../../__testUtils__/eventually';
import { FakeRuntime } from '../../__testUtils__/FakeRuntime';
import { aWorkspace } from '../../__testUtils__/workspaces';
import { Workspace } from '../Workspace';
import { WorkspaceLifecycle } from '../WorkspaceLifecycle';
import { openStore } from './openStore';

/** A life cycle over a runtime in memory, with everything that it tells kept. */
export async function createLifecycle<Runtime extends FakeRuntime>(
  databases: TestDatabases,
  runtime: Runtime,
) {
  const { store } = await openStore(databases);
  const signals: WorkspaceSignal[] = [];
  /** What owners were told, in order. */
  const told: string[] = [];
  /** Workspaces whose IDE can be reached. */
  const open = new Set<string>();
  const logger = mockServices.rootLogger();
  const lifecycle = new WorkspaceLifecycle({
    store,
    runtime,
    logger,
    events: { publish: (_owner, signal) => signals.push(signal) },
    outcomes: {
      ready: ({ name }) => told.push(`${name} ready`),
      failed: (_workspace, cause) => told.push(cause),
    },
    door: {
      open: id => open.add(id),
      close: async id => void open.delete(id),
    },
  });
  const insert = async (change: Partial<Workspace>) => {
    const workspace = aWorkspace(change);
    await store.insert(workspace);
    return workspace;
  };
  const until = (id: string, expected: Partial<Workspace>) =>
    eventually(async () => expect(await store.get(id)).toMatchObject(expected));
  return {
    store,
    runtime,
    signals,
    told,
    open,
    lifecycle,
    insert,
    until,
    logger,
  };
}
