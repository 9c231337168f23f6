import { eventually } from '../__testUtils__/eventually';
import { FakeRuntime } from '../__testUtils__/FakeRuntime';
import { createLifecycle } from './__testUtils__/createLifecycle';
import { workspaceDatabases } from './__testUtils__/workspaceDatabases';
import { WorkspaceStore } from './storage/WorkspaceStore';
import { Workspace } from './Workspace';

const databases = workspaceDatabases();

const never = new AbortController().signal;

const create = () => createLifecycle(databases, new FakeRuntime());

/** Makes the database fail while a status is recorded, before or after the change was committed. */
function failWhileRecording(
  store: WorkspaceStore,
  status: Workspace['status'],
  { times, after = false }: { times: number; after?: boolean },
) {
  const transition = store.transition.bind(store);
  let left = times;
  vi.spyOn(store, 'transition').mockImplementation(async (...call) => {
    const fails = call[2].status === status && left > 0;
    left -= fails ? 1 : 0;
    if (fails && !after) {
      throw new Error('Connection terminated unexpectedly');
    }
    const moved = await transition(...call);
    if (fails) {
      throw new Error('Connection terminated unexpectedly');
    }
    return moved;
  });
}

describe('WorkspaceLifecycle while the database fails', () => {
  it('records a start once the database is back', async () => {
    const { store, runtime, open, lifecycle, insert, until } = await create();
    const workspace = await insert({ status: 'Stopped' });
    failWhileRecording(store, 'Running', { times: 2 });
    vi.spyOn(store, 'update').mockRejectedValueOnce(
      new Error('Connection terminated unexpectedly'),
    );
    await lifecycle.start(workspace);

    await until(workspace.id, { status: 'Running', failed: false });
    await eventually(async () =>
      expect((await store.get(workspace.id))?.steps).toMatchObject([
        { id: 'ide', state: 'done' },
      ]),
    );
    expect(runtime.stopped).toEqual([]);
    expect(open).toContain(workspace.id);
  });

  it('fails no start because the workspace cannot be read', async () => {
    const { store, lifecycle, insert, until } = await create();
    const workspace = await insert({ status: 'Stopped' });
    const get = vi
      .spyOn(store, 'get')
      .mockRejectedValueOnce(new Error('connect ECONNREFUSED 10.0.0.7:5432'));
    await lifecycle.start(workspace);
    await eventually(() => expect(get).toHaveBeenCalled());
    await until(workspace.id, { status: 'Running', failed: false });
  });

  it('keeps a start running of which it does not know that it was recorded', async () => {
    const { store, runtime, told, open, lifecycle, insert } = await create();
    const workspace = await insert({ status: 'Stopped' });
    failWhileRecording(store, 'Running', { times: 1, after: true });
    await lifecycle.start(workspace);

    await eventually(() => expect(told).toEqual([`${workspace.name} ready`]));
    expect(runtime.stopped).toEqual([]);
    expect(open).toContain(workspace.id);
  });

  it('lets a stop end the attempts to record a start', async () => {
    const { store, lifecycle, insert, until } = await create();
    const workspace = await insert({ status: 'Stopped' });
    failWhileRecording(store, 'Running', { times: Infinity });
    await lifecycle.start(workspace);
    await eventually(() =>
      expect(store.transition).toHaveBeenCalledWith(
        workspace.id,
        ['Starting'],
        expect.objectContaining({ status: 'Running' }),
      ),
    );
    await lifecycle.stop(workspace);
    await until(workspace.id, { status: 'Stopped', failed: false });
  });

  it('records that an IDE has ended once the database is back', async () => {
    const { store, runtime, told, lifecycle, insert, until } = await create();
    const workspace = await insert({ status: 'Stopped' });
    await lifecycle.start(workspace);
    await until(workspace.id, { status: 'Running' });
    failWhileRecording(store, 'Stopped', { times: 1 });
    runtime.crash(workspace.id, 'The editor was killed (SIGKILL)');

    await until(workspace.id, { status: 'Stopped', failed: true });
    await eventually(() =>
      expect(told).toContain('The editor was killed (SIGKILL)'),
    );
  });

  it('tells that an IDE has ended although the answer of the database was lost', async () => {
    const { store, runtime, told, lifecycle, insert, until } = await create();
    const workspace = await insert({ status: 'Stopped' });
    await lifecycle.start(workspace);
    await until(workspace.id, { status: 'Running' });
    failWhileRecording(store, 'Stopped', { times: 1, after: true });
    runtime.crash(workspace.id, 'The editor was killed (SIGKILL)');
    await eventually(() =>
      expect(told).toContain('The editor was killed (SIGKILL)'),
    );
  });

  it('stores no line of a start twice although the answer of the database was lost', async () => {
    const { store, lifecycle, insert, until } = await create();
    const workspace = await insert({ status: 'Stopped' });
    const append = store.log.append.bind(store.log);
    vi.spyOn(store.log, 'append').mockImplementationOnce(async (...call) => {
      await append(...call);
      throw new Error('Connection terminated unexpectedly');
    });
    await lifecycle.start(workspace);

    await until(workspace.id, { status: 'Running' });
    await eventually(() => expect(store.log.append).toHaveBeenCalledTimes(2));
    await lifecycle.shutdown({ stopWorkspaces: false }, never);
    const log = await store.log.read(workspace.id, { after: 0, limit: 10 });
    expect(log.map(({ text }) => text)).toEqual([`${workspace.name} is up`]);
  });

  it('saves the last steps of an IDE that has ended', async () => {
    const { store, runtime, lifecycle, insert, until } = await create();
    const workspace = await insert({ status: 'Stopped' });
    const start = runtime.start.bind(runtime);
    vi.spyOn(runtime, 'start').mockImplementation(async (...call) => {
      const started = await start(...call);
      call[1].step({ id: 'install', title: 'Install', state: 'running' });
      return started;
    });
    await lifecycle.start(workspace);
    await until(workspace.id, { status: 'Running' });
    failWhileRecording(store, 'Stopped', { times: 1 });
    vi.spyOn(store, 'update').mockRejectedValueOnce(
      new Error('Connection terminated unexpectedly'),
    );
    runtime.crash(workspace.id, 'The editor was killed (SIGKILL)');

    await until(workspace.id, { status: 'Stopped', failed: true });
    expect((await store.get(workspace.id))?.steps).toMatchObject([
      { id: 'ide', state: 'done' },
      { id: 'install', state: 'warning' },
    ]);
  });

  it('does not take back a stop with what it saw before', async () => {
    const { store, lifecycle, insert, until } = await create();
    const workspace = await insert({ status: 'Running' });
    const get = vi
      .spyOn(store, 'get')
      .mockRejectedValueOnce(new Error('connect ECONNREFUSED 10.0.0.7:5432'));
    const observed = lifecycle.observe({
      id: workspace.id,
      status: 'Running',
      failure: null,
      message: null,
      target: null,
      editor: null,
    });
    await eventually(() => expect(get).toHaveBeenCalled());
    await lifecycle.stop(workspace);
    await observed;
    await until(workspace.id, { status: 'Stopped', failed: false });
  });

  it('stops what runs when the portal ends', async () => {
    const { store, runtime, lifecycle } = await create();
    const released = vi.spyOn(runtime, 'shutdown');
    vi.spyOn(store, 'listByStatus').mockRejectedValue(
      new Error('the database system is shutting down'),
    );
    await expect(
      lifecycle.shutdown({ stopWorkspaces: true }, never),
    ).rejects.toThrow('the database system is shutting down');
    expect(released).toHaveBeenCalledWith({ stopWorkspaces: true });
  });

  it.each(['get', 'listByStatus'] as const)(
    'releases the runtime at once when the database hangs at %s',
    async method => {
      const { store, runtime, lifecycle, insert } = await create();
      const released = vi.spyOn(runtime, 'shutdown');
      const workspace = await insert({ status: 'Starting' });
      vi.spyOn(store, method).mockReturnValue(new Promise<never>(() => {}));
      lifecycle.beginStart(workspace);

      const deadline = new AbortController();
      const shutDown = lifecycle.shutdown(
        { stopWorkspaces: true },
        deadline.signal,
      );
      expect(released).toHaveBeenCalledWith({ stopWorkspaces: true });
      deadline.abort(new Error('too late'));
      await expect(shutDown).rejects.toThrow('too late');
    },
  );

  it('names all causes if its shutdown fails in the runtime as well', async () => {
    const { store, runtime, lifecycle, insert } = await create();
    const workspace = await insert({ status: 'Starting' });
    vi.spyOn(runtime, 'shutdown').mockRejectedValue(new Error('out of order'));
    vi.spyOn(store, 'get').mockReturnValue(new Promise<never>(() => {}));
    lifecycle.beginStart(workspace);

    await expect(
      lifecycle.shutdown(
        { stopWorkspaces: true },
        AbortSignal.abort(new Error('too late')),
      ),
    ).rejects.toThrow(/too late.*out of order/);
  });
});

describe('WorkspaceLifecycle next to another replica', () => {
  it('keeps a start running that the other one has seen in the cluster first', async () => {
    const { store, runtime, told, open, lifecycle, insert } = await create();
    const workspace = await insert({ status: 'Stopped' });
    const start = runtime.start.bind(runtime);
    vi.spyOn(runtime, 'start').mockImplementation(async (...call) => {
      const started = await start(...call);
      await store.transition(workspace.id, ['Starting'], { status: 'Running' });
      return started;
    });
    await lifecycle.start(workspace);

    await eventually(() => expect(told).toEqual([`${workspace.name} ready`]));
    expect(runtime.stopped).toEqual([]);
    expect(open).toContain(workspace.id);
  });

  it('fails no start that the other one has stopped', async () => {
    const { store, runtime, told, lifecycle, insert } = await create();
    const workspace = await insert({ status: 'Stopped' });
    vi.spyOn(runtime, 'start').mockImplementation(async () => {
      await store.transition(workspace.id, ['Starting'], {
        status: 'Stopped',
        statusMessage: null,
      });
      throw new Error('The workspace was stopped in the cluster');
    });
    await lifecycle.start(workspace);

    await eventually(() => expect(runtime.stopped).toEqual([workspace.id]));
    expect(told).toEqual([]);
    expect(await store.get(workspace.id)).toMatchObject({
      status: 'Stopped',
      failed: false,
    });
  });
});
