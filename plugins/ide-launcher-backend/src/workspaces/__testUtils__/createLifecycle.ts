import { mockServices } from '@backstage/backend-test-utils';
import type { PluginDatabases } from '@slipway/test-postgres/PluginDatabases';
import { WorkspaceSignal } from '@slipway/plugin-ide-launcher-common';
import { eventually } from '../../__testUtils__/eventually';
import { aWorkspace } from '../../__testUtils__/workspaces';
import { WorkspaceRuntime } from '../../runtimes/WorkspaceRuntime';
import { toSignal, WorkspaceEvents } from '../WorkspaceEvents';
import { Workspace } from '../Workspace';
import { WorkspaceLifecycle } from '../WorkspaceLifecycle';
import { openStore } from './openStore';

/** Creates a life cycle with a runtime, and records its notifications. */
export async function createLifecycle<Runtime extends WorkspaceRuntime>(
  databases: PluginDatabases,
  runtime: Runtime,
) {
  const { store } = await openStore(databases);
  const signals: WorkspaceSignal[] = [];
  /** Notifications to owners, in order. */
  const told: string[] = [];
  /** Workspaces whose IDE can be reached. */
  const open = new Set<string>();
  const logger = mockServices.rootLogger();
  const events = new WorkspaceEvents();
  events.onChange((workspace, state, reason) => {
    signals.push(toSignal(workspace, state, reason));
    if (reason.kind === 'started') {
      told.push(`${workspace.name} ready`);
    } else if (reason.kind === 'failed') {
      told.push(reason.cause);
    }
  });
  const lifecycle = new WorkspaceLifecycle({
    store,
    runtime,
    logger,
    events,
    gateway: {
      open: id => open.add(id),
      close: async id => void open.delete(id),
    },
    authorOf: async name => ({ name, email: 'owner@example.org' }),
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
