import { mockServices, TestDatabases } from '@backstage/backend-test-utils';
import { WorkspaceSignal } from '@slipway/plugin-ide-launcher-common';
import { eventually } from '../__testUtils__/eventually';
import { StartFailedError } from '../runtimes/WorkspaceRuntime';
import { SharedFakeRuntime } from '../__testUtils__/SharedFakeRuntime';
import { aWorkspace } from '../__testUtils__/workspaces';
import { DatabaseWorkspaceStore } from './DatabaseWorkspaceStore';
import { reconcileWorkspaces } from './reconcileWorkspaces';
import { Workspace } from './Workspace';
import { WorkspaceLifecycle } from './WorkspaceLifecycle';

const databases = TestDatabases.create({ ids: ['SQLITE_3'] });

async function createPlace() {
  const knex = await databases.init('SQLITE_3');
  const store = await DatabaseWorkspaceStore.create({
    database: mockServices.database({ knex, migrations: { skip: false } }),
  });
  const runtime = new SharedFakeRuntime();
  const logger = mockServices.rootLogger();
  const signals: WorkspaceSignal[] = [];
  const failures: string[] = [];
  const open = new Set<string>();
  const lifecycle = new WorkspaceLifecycle({
    store,
    runtime,
    logger,
    events: { publish: (_owner, signal) => signals.push(signal) },
    outcomes: {
      ready: () => {},
      failed: (_workspace, cause) => failures.push(cause),
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
    logger,
    signals,
    failures,
    open,
    lifecycle,
    insert,
    until,
  };
}

describe('workspaces that others move', () => {
  it('follow from start to stop, and so does the way into the IDE', async () => {
    const { insert, open, runtime, signals, until } = await createPlace();
    const { id } = await insert({ status: 'Stopped', failed: true });

    runtime.move(id, { status: 'Starting' });
    await until(id, { status: 'Starting', failed: false });
    runtime.move(id, { status: 'Running' });
    await until(id, {
      status: 'Running',
      editor: { id: 'fake', title: 'Fake editor', version: '1.0.0' },
    });
    expect(open).toContain(id);
    runtime.move(id, { status: 'Stopping' });
    await until(id, { status: 'Stopping' });
    expect(open).not.toContain(id);
    runtime.move(id, { status: 'Stopped', message: 'Deleted elsewhere' });
    await until(id, { status: 'Stopped', failed: false });
    expect(signals.map(({ status }) => status)).toEqual([
      'Starting',
      'Running',
      'Stopping',
      'Stopped',
    ]);
  });

  it('keep the cause of a failure, and tell it once', async () => {
    const { failures, insert, runtime, until } = await createPlace();
    const { id } = await insert({ status: 'Running' });
    const failure = 'Out of memory';

    runtime.move(id, { status: 'Stopping', failure });
    await until(id, {
      status: 'Stopping',
      failed: true,
      statusMessage: failure,
    });
    runtime.move(id, { status: 'Stopped', failure });
    await until(id, {
      status: 'Stopped',
      failed: true,
      statusMessage: failure,
    });
    expect(failures).toEqual([failure]);
  });

  it('are left alone while the portal itself starts them', async () => {
    const { insert, lifecycle, runtime, until } = await createPlace();
    runtime.instant = false;
    const workspace = await insert({ status: 'Stopped' });
    await lifecycle.start(workspace);
    await eventually(() => expect(runtime.existing).toContain(workspace.id));
    runtime.move(workspace.id, { status: 'Stopped' });
    runtime.release(workspace.id);
    await until(workspace.id, { status: 'Running' });
  });

  it('are taken over when somebody else started them while the portal was away', async () => {
    const { insert, lifecycle, logger, open, runtime, store } =
      await createPlace();
    const { id } = await insert({ status: 'Stopped' });
    runtime.existing.add(id);
    runtime.running.set(id, runtime.target);
    await reconcileWorkspaces({ store, runtime, lifecycle, logger });

    await expect(store.get(id)).resolves.toMatchObject({ status: 'Running' });
    expect(open).toContain(id);
    expect(runtime.stopped).toEqual([]);
  });
});

describe('a start that fails and is still being taken down', () => {
  it('is Stopping with its cause until it is down', async () => {
    const { failures, insert, lifecycle, runtime, signals, until } =
      await createPlace();
    runtime.failWith = new StartFailedError('No such image', {
      stillStopping: true,
    });
    const workspace = await insert({ status: 'Stopped' });
    await lifecycle.start(workspace);
    await until(workspace.id, {
      status: 'Stopped',
      failed: true,
      statusMessage: 'No such image',
    });
    expect(signals.flatMap(({ status }) => status ?? [])).toEqual([
      'Starting',
      'Stopping',
      'Stopped',
    ]);
    expect(runtime.stopped).toEqual([workspace.id]);
    expect(failures).toEqual(['No such image']);
  });
});

describe('a stop that is held up', () => {
  it('says why, is tried again, and shows its own reason in the end', async () => {
    const { insert, lifecycle, runtime, until } = await createPlace();
    const workspace = await insert({ status: 'Running' });
    runtime.failStopWith = new Error('The cluster cannot be reached');
    await lifecycle.stop(workspace, { reason: 'Stopped as nobody used it' });
    await until(workspace.id, {
      status: 'Stopping',
      statusMessage: 'The cluster cannot be reached',
    });
    runtime.failStopWith = undefined;
    await lifecycle.finishStops();
    await until(workspace.id, {
      status: 'Stopped',
      failed: false,
      statusMessage: 'Stopped as nobody used it',
    });
  });
});
