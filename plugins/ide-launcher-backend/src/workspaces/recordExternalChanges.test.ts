import { eventually } from '../__testUtils__/eventually';
import { StartFailedError } from '../runtimes/WorkspaceRuntime';
import { SharedFakeRuntime } from '../__testUtils__/SharedFakeRuntime';
import { createLifecycle } from './__testUtils__/createLifecycle';
import { reconcileWorkspaces } from './reconcileWorkspaces';
import { workspaceDatabases } from './__testUtils__/workspaceDatabases';

const databases = workspaceDatabases();

const createPlace = () => createLifecycle(databases, new SharedFakeRuntime());

describe('workspaces that others change', () => {
  it('follow from start to stop, and so does the way into the IDE', async () => {
    const { insert, open, runtime, signals, until } = await createPlace();
    const { id } = await insert({ status: 'Stopped', failed: true });

    runtime.changeFromOutside(id, { status: 'Starting' });
    await until(id, { status: 'Starting', failed: false });
    runtime.changeFromOutside(id, { status: 'Running' });
    await until(id, {
      status: 'Running',
      editor: { id: 'fake', title: 'Fake editor', version: '1.0.0' },
    });
    await eventually(() => expect(open).toContain(id));
    runtime.changeFromOutside(id, { status: 'Stopping' });
    await until(id, { status: 'Stopping' });
    await eventually(() => expect(open).not.toContain(id));
    runtime.changeFromOutside(id, {
      status: 'Stopped',
      message: 'Deleted elsewhere',
    });
    await until(id, { status: 'Stopped', failed: false });
    await eventually(() =>
      expect(signals.map(({ status }) => status)).toEqual([
        'Starting',
        'Running',
        'Stopping',
        'Stopped',
      ]),
    );
  });

  it('keep the cause of a failure, and tell it once', async () => {
    const { told, insert, runtime, until } = await createPlace();
    const { id } = await insert({ status: 'Running' });
    const failure = 'Out of memory';

    runtime.changeFromOutside(id, { status: 'Stopping', failure });
    await until(id, {
      status: 'Stopping',
      failed: true,
      statusMessage: failure,
    });
    runtime.changeFromOutside(id, { status: 'Stopped', failure });
    await until(id, {
      status: 'Stopped',
      failed: true,
      statusMessage: failure,
    });
    await eventually(() => expect(told).toEqual([failure]));
  });

  it('are left alone while the portal itself starts them', async () => {
    const { insert, lifecycle, runtime, until } = await createPlace();
    runtime.instant = false;
    const workspace = await insert({ status: 'Stopped' });
    await lifecycle.start(workspace);
    await eventually(() => expect(runtime.existing).toContain(workspace.id));
    runtime.changeFromOutside(workspace.id, { status: 'Stopped' });
    runtime.release(workspace.id);
    await until(workspace.id, { status: 'Running' });
  });

  it('are adopted if another client started them while the portal was down', async () => {
    const { insert, lifecycle, logger, open, runtime, store } =
      await createPlace();
    const { id } = await insert({ status: 'Stopped' });
    runtime.existing.add(id);
    runtime.running.set(id, runtime.target);
    await reconcileWorkspaces({ store, runtime, lifecycle, logger });

    await expect(store.get(id)).resolves.toMatchObject({ status: 'Running' });
    await eventually(() => expect(open).toContain(id));
    expect(runtime.stopped).toEqual([]);
  });
});

describe('a start that fails and is still being taken down', () => {
  it('is Stopping with its cause until it is down', async () => {
    const { told, insert, lifecycle, runtime, signals, until } =
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
    await eventually(() =>
      expect(signals.flatMap(({ status }) => status ?? [])).toEqual([
        'Starting',
        'Stopping',
        'Stopped',
      ]),
    );
    expect(runtime.stopped).toEqual([workspace.id]);
    await eventually(() => expect(told).toEqual(['No such image']));
  });
});

describe('a start that failed, and whose failure the cluster reports later', () => {
  it('has the cause in its log only once', async () => {
    const { insert, lifecycle, runtime, signals, store, until } =
      await createPlace();
    runtime.failWith = new StartFailedError('No such image');
    const workspace = await insert({ status: 'Stopped' });
    const { id } = workspace;
    await lifecycle.start(workspace);
    await until(id, { status: 'Stopped', failed: true });
    runtime.changeFromOutside(id, {
      status: 'Stopped',
      failure: 'No such image',
    });
    runtime.changeFromOutside(id, { status: 'Running' });
    await until(id, { status: 'Running' });
    expect(signals.at(-1)).toMatchObject({ status: 'Running' });

    const log = await store.log.read(id, { after: 0, limit: 10 });
    expect(log.map(({ text }) => text)).toEqual(['No such image']);
  });
});

describe('a stop that is held up', () => {
  it('reports the reason, is retried, and finally shows its own reason', async () => {
    const { insert, lifecycle, runtime, until } = await createPlace();
    const workspace = await insert({ status: 'Running' });
    runtime.failStopWith = new Error('The cluster cannot be reached');
    await lifecycle.stop(workspace, { reason: 'Stopped as nobody used it' });
    await until(workspace.id, {
      status: 'Stopping',
      statusMessage: 'The cluster cannot be reached',
    });
    runtime.failStopWith = undefined;
    await lifecycle.sweep();
    await until(workspace.id, {
      status: 'Stopped',
      failed: false,
      statusMessage: 'Stopped as nobody used it',
    });
    expect(runtime.stopped).toEqual([workspace.id, workspace.id]);
  });

  it('shows its own reason as well when it comes about without another try', async () => {
    const { insert, lifecycle, runtime, until } = await createPlace();
    const workspace = await insert({ status: 'Running' });
    const { id } = workspace;
    runtime.failStopWith = new Error('The cluster did not stop it in time');
    await lifecycle.stop(workspace, { reason: 'Stopped as nobody used it' });
    await expect(lifecycle.finishStop(workspace)).rejects.toThrow('in time');
    await until(id, { statusMessage: 'The cluster did not stop it in time' });
    runtime.changeFromOutside(id, { status: 'Stopped' });
    await until(id, {
      status: 'Stopped',
      statusMessage: 'Stopped as nobody used it',
    });

    runtime.failStopWith = undefined;
    await lifecycle.start(workspace);
    await until(id, { status: 'Running' });
    await lifecycle.stop(workspace);
    await until(id, { status: 'Stopped', statusMessage: null });
  });
});
