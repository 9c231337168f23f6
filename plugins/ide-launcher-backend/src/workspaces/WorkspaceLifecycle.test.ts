import { makeDevfile } from '../__testUtils__/devfile';
import { eventually } from '../__testUtils__/eventually';
import { StartReporter } from '../runtimes/WorkspaceRuntime';
import { FakeRuntime } from '../__testUtils__/FakeRuntime';
import { createLifecycle } from './__testUtils__/createLifecycle';
import { reconcileWorkspaces } from './reconcileWorkspaces';
import { workspaceDatabases } from './__testUtils__/workspaceDatabases';

const databases = workspaceDatabases();

const never = new AbortController().signal;

const create = () => createLifecycle(databases, new FakeRuntime());

describe('WorkspaceLifecycle', () => {
  it('starts a stopped workspace and records how it went', async () => {
    const { store, signals, open, lifecycle, insert, until } = await create();
    const workspace = await insert({ status: 'Stopped' });

    await expect(lifecycle.start(workspace)).resolves.toBe(true);
    await until(workspace.id, {
      status: 'Running',
      failed: false,
      editor: { id: 'fake', title: 'Fake editor', version: '1.0.0' },
    });
    const { steps } = (await store.get(workspace.id))!;
    expect(steps).toMatchObject([
      { id: 'ide', title: 'Start the IDE', state: 'done' },
    ]);
    const log = await store.log.read(workspace.id, { after: 0, limit: 10 });
    expect(log.map(({ text }) => text)).toEqual([`${workspace.name} is up`]);
    await eventually(() => expect(open).toContain(workspace.id));
    await eventually(() =>
      expect(signals.map(({ status }) => status)).toEqual(
        expect.arrayContaining(['Starting', 'Running']),
      ),
    );
    await expect(lifecycle.start(workspace)).resolves.toBe(false);
  });

  it('keeps the cause of a failed start on the workspace and its step', async () => {
    const { store, runtime, lifecycle, insert, until } = await create();
    runtime.failWith = new Error('The editor did not respond within 30 s');
    const workspace = await insert({ status: 'Stopped' });
    await lifecycle.start(workspace);

    await until(workspace.id, {
      status: 'Stopped',
      failed: true,
      statusMessage: 'The editor did not respond within 30 s',
    });
    expect((await store.get(workspace.id))!.steps).toMatchObject([
      { state: 'failed', message: 'The editor did not respond within 30 s' },
    ]);
  });

  it('does not show paths of this machine as the cause of a failed start', async () => {
    const { runtime, lifecycle, insert, until } = await create();
    runtime.failWith = Object.assign(
      new Error("ENOSPC: no space left on device, mkdir '/srv/data/home'"),
      { code: 'ENOSPC', errno: -28, syscall: 'mkdir', path: '/srv/data/home' },
    );
    const workspace = await insert({ status: 'Stopped' });
    await lifecycle.start(workspace);
    await until(workspace.id, {
      status: 'Stopped',
      failed: true,
      statusMessage: 'The start failed: no space left on device (ENOSPC)',
    });
    expect(runtime.running.size).toBe(0);
  });

  it('keeps the warnings of a start until the next one', async () => {
    const { store, runtime, lifecycle, insert, until } = await create();
    const { id } = await insert({ warnings: ['No volumes'] });
    vi.spyOn(runtime, 'start').mockImplementationOnce(
      async (_spec, reporter) => {
        reporter.warn('Not cloned');
        throw new Error('No editor');
      },
    );
    await lifecycle.start((await store.get(id))!);
    await until(id, { failed: true, startWarnings: ['Not cloned'] });

    await lifecycle.start((await store.get(id))!);
    await until(id, {
      status: 'Running',
      warnings: ['No volumes'],
      startWarnings: [],
    });
    expect(runtime.running.has(id)).toBe(true);
  });

  it('drops the warnings of a start that an earlier version stored among others', async () => {
    const { store, lifecycle, insert, until } = await create();
    const { id } = await insert({
      warnings: [
        'No volumes',
        'Project "shop" was not fetched: it has no folder "none"',
      ],
    });
    await lifecycle.start((await store.get(id))!);
    await until(id, { status: 'Running' });
    expect((await store.get(id))!.warnings).toEqual(['No volumes']);
  });

  it('starts with a devfile that was updated since the workspace was read', async () => {
    const { store, runtime, lifecycle, insert, until } = await create();
    const workspace = await insert({ status: 'Stopped' });
    const devfile = makeDevfile({ schemaVersion: '2.3.0' });
    await store.update(workspace.id, { devfile });
    await lifecycle.start(workspace);
    await until(workspace.id, { status: 'Running' });
    expect(runtime.specs.get(workspace.id)?.devfile).toEqual(devfile);
  });

  it('names the owner of a workspace as the author of its commits', async () => {
    const { runtime, lifecycle, insert, until } = await create();
    const workspace = await insert({ status: 'Stopped' });
    await lifecycle.start(workspace);
    await until(workspace.id, { status: 'Running' });
    expect(runtime.specs.get(workspace.id)?.author).toEqual({
      name: workspace.owner,
      email: 'owner@example.org',
    });
  });

  it('stops a workspace while it starts', async () => {
    const { runtime, open, lifecycle, insert, until } = await create();
    runtime.instant = false;
    const workspace = await insert({ status: 'Stopped' });
    await lifecycle.start(workspace);
    await lifecycle.stop(workspace);

    await until(workspace.id, { status: 'Stopped', failed: false });
    expect(runtime.running.size).toBe(0);
    await eventually(() => expect(open).not.toContain(workspace.id));
  });

  it('stops a running workspace with the reason given', async () => {
    const { runtime, open, lifecycle, insert, until } = await create();
    const workspace = await insert({ status: 'Stopped' });
    await lifecycle.start(workspace);
    await until(workspace.id, { status: 'Running' });
    await lifecycle.stop(workspace, { reason: 'Unused' });

    await until(workspace.id, { status: 'Stopped', statusMessage: 'Unused' });
    expect(runtime.stopped).toEqual([workspace.id]);
    await eventually(() => expect(open).not.toContain(workspace.id));
    await expect(lifecycle.stop(workspace)).resolves.toBe(false);
  });

  it('starts a stopping workspace once it has stopped, unless it is stopped again', async () => {
    const { runtime, lifecycle, insert, until, store } = await create();
    const workspace = await insert({ status: 'Running' });
    const ends: (() => void)[] = [];
    vi.spyOn(runtime, 'stop').mockImplementation(
      () => new Promise(resolve => ends.push(resolve)),
    );
    await lifecycle.stop(workspace);
    lifecycle.startOnceStopped(workspace);
    lifecycle.startOnceStopped(workspace);
    // The idle monitor read the workspace before it was stopped.
    await lifecycle.stop(workspace, { unusedSince: workspace });
    await eventually(() => expect(ends).toHaveLength(1));
    expect(runtime.specs.size).toBe(0);
    ends[0]();
    await until(workspace.id, { status: 'Running' });

    const read = vi.spyOn(store, 'get');
    await lifecycle.stop(workspace);
    lifecycle.startOnceStopped(workspace);
    await expect(lifecycle.stop(workspace)).resolves.toBe(false);
    await Promise.all(read.mock.results.map(({ value }) => value));
    await eventually(() => expect(ends).toHaveLength(2));
    ends[1]();
    await until(workspace.id, { status: 'Stopped' });
    await lifecycle.shutdown({ stopWorkspaces: false }, never);
    await until(workspace.id, { status: 'Stopped' });
  });

  it('records why an IDE ended unexpectedly', async () => {
    const { store, runtime, told, open, lifecycle, insert, until } =
      await create();
    const workspace = await insert({ status: 'Stopped' });
    await lifecycle.start(workspace);
    await until(workspace.id, { status: 'Running' });
    runtime.crash(workspace.id, 'The editor was killed (SIGKILL)');

    await until(workspace.id, {
      status: 'Stopped',
      failed: true,
      statusMessage: 'The editor was killed (SIGKILL)',
    });
    const log = await store.log.read(workspace.id, { after: 0, limit: 10 });
    expect(log.at(-1)).toMatchObject({
      source: 'slipway',
      text: 'The editor was killed (SIGKILL)',
    });
    await eventually(() =>
      expect(told).toEqual([
        `${workspace.name} ready`,
        'The editor was killed (SIGKILL)',
      ]),
    );
    await eventually(() => expect(open).not.toContain(workspace.id));
  });

  it('deletes a workspace while it starts', async () => {
    const { store, runtime, signals, lifecycle, insert } = await create();
    runtime.instant = false;
    const workspace = await insert({ status: 'Stopped' });
    await lifecycle.start(workspace);
    await lifecycle.delete(workspace);

    await expect(store.listIds()).resolves.toEqual([]);
    expect(runtime.deleted).toEqual([workspace.id]);
    expect(signals.at(-1)).toEqual({
      type: 'deleted',
      workspaceId: workspace.id,
    });
  });

  it('deletes once, however many ask at once', async () => {
    const { store, runtime, lifecycle, insert } = await create();
    const workspace = await insert({ status: 'Stopped' });
    await Promise.all([
      lifecycle.delete(workspace),
      lifecycle.delete(workspace),
    ]);

    expect(runtime.deleted).toEqual([workspace.id]);
    await expect(store.listIds()).resolves.toEqual([]);
  });

  it('aborts a slow stop on deletion, and runs one action at a time', async () => {
    const { store, runtime, lifecycle, insert } = await create();
    const workspace = await insert({ status: 'Running' });
    const asked: string[] = [];
    vi.spyOn(runtime, 'stop').mockImplementation(async (_id, signal) => {
      asked.push('stop begins');
      await new Promise(resolve => signal!.addEventListener('abort', resolve));
      asked.push('stop ends');
      throw signal!.reason;
    });
    vi.spyOn(runtime, 'delete').mockImplementation(async () => {
      asked.push('delete');
    });
    await lifecycle.stop(workspace);
    await eventually(() => expect(asked).toEqual(['stop begins']));
    await lifecycle.delete(workspace);

    expect(asked).toEqual(['stop begins', 'stop ends', 'delete']);
    await expect(store.listIds()).resolves.toEqual([]);
  });

  it('finishes later a deletion that failed', async () => {
    const { store, runtime, lifecycle, insert } = await create();
    const workspace = await insert({ status: 'Stopped' });
    vi.spyOn(runtime, 'delete').mockRejectedValueOnce(new Error('EBUSY'));
    await expect(lifecycle.delete(workspace)).rejects.toThrow('EBUSY');
    await expect(store.listDeleting()).resolves.toEqual([workspace.id]);

    await lifecycle.sweep();
    await expect(store.listIds()).resolves.toEqual([]);
  });

  it('lets a start go on that began after the sweep had read the workspace', async () => {
    const { store, runtime, lifecycle, insert, until } = await create();
    runtime.instant = false;
    const workspace = await insert({ status: 'Stopped' });
    await lifecycle.start(workspace);
    await eventually(() => expect(runtime.existing).toContain(workspace.id));
    vi.spyOn(store, 'listByStatus').mockResolvedValueOnce([
      { ...workspace, status: 'Stopping' },
    ]);
    const read = vi.spyOn(store, 'get');
    await lifecycle.sweep();
    await Promise.all(read.mock.results.map(({ value }) => value));

    runtime.release(workspace.id);
    await until(workspace.id, { status: 'Running' });
    expect(runtime.stopped).toEqual([]);
  });

  it('keeps commands of an older start from writing over a newer one', async () => {
    const { store, runtime, lifecycle, insert, until } = await create();
    const reporters: StartReporter[] = [];
    const start = runtime.start.bind(runtime);
    vi.spyOn(runtime, 'start').mockImplementation((spec, reporter, signal) => {
      reporters.push(reporter);
      return start(spec, reporter, signal);
    });
    const workspace = await insert({ status: 'Stopped' });
    await lifecycle.start(workspace);
    await until(workspace.id, { status: 'Running' });
    reporters[0].step({ id: 'late', title: 'Late', state: 'running' });
    await lifecycle.stop(workspace);
    await until(workspace.id, { status: 'Stopped' });
    await lifecycle.start(workspace);
    reporters[0].step({ id: 'late', title: 'Late', state: 'done' });
    reporters[0].log('command', 'late');
    await until(workspace.id, { status: 'Running' });
    await lifecycle.shutdown({ stopWorkspaces: false }, never);

    const { steps } = (await store.get(workspace.id))!;
    expect(steps.map(({ id }) => id)).toEqual(['ide']);
    const log = await store.log.read(workspace.id, { after: 0, limit: 10 });
    expect(log.map(({ text }) => text)).not.toContain('late');
  });

  it('records an IDE that died before its start was recorded', async () => {
    const { store, runtime, open, lifecycle, insert, until } = await create();
    const workspace = await insert({ status: 'Stopped' });
    vi.spyOn(store.log, 'append').mockImplementationOnce(async () => {
      runtime.crash(workspace.id, 'The editor was killed (SIGKILL)');
      return 0;
    });
    await lifecycle.start(workspace);

    await until(workspace.id, {
      status: 'Stopped',
      failed: true,
      statusMessage: 'The editor was killed (SIGKILL)',
    });
    await eventually(() => expect(open).not.toContain(workspace.id));
  });

  it('leaves nothing of a start that was overtaken before it began', async () => {
    const { store, runtime, open, lifecycle, insert } = await create();
    const stopped = await insert({ status: 'Stopped' });
    const deleted = await insert({ status: 'Stopped' });
    await store.remove(deleted.id);
    lifecycle.beginStart(stopped);
    lifecycle.beginStart(deleted);

    await eventually(() => {
      expect(runtime.stopped).toEqual([stopped.id]);
      expect(runtime.deleted).toEqual([deleted.id]);
    });
    expect(runtime.running.size).toBe(0);
    expect(open.size).toBe(0);
  });

  it('leaves a start that a shutdown cut short to the next process', async () => {
    const { store, runtime, lifecycle, insert } = await create();
    runtime.instant = false;
    const starting = await insert({ status: 'Stopped' });
    await lifecycle.start(starting);
    await lifecycle.shutdown({ stopWorkspaces: true }, never);

    await expect(store.get(starting.id)).resolves.toMatchObject({
      status: 'Starting',
    });
  });

  it('leaves a start that comes during a shutdown to the next process', async () => {
    const { store, runtime, lifecycle, insert } = await create();
    const workspace = await insert({ status: 'Stopped' });
    await lifecycle.shutdown({ stopWorkspaces: false }, never);
    await lifecycle.start(workspace);
    await lifecycle.shutdown({ stopWorkspaces: false }, never);

    await expect(store.get(workspace.id)).resolves.toMatchObject({
      status: 'Starting',
    });
    expect(runtime.existing.size).toBe(0);
  });

  it('does not wait on shutdown for a stop that takes long', async () => {
    const { store, runtime, lifecycle, insert, until } = await create();
    const { id, name, owner } = await insert({ status: 'Running' });
    vi.spyOn(runtime, 'stop').mockImplementation(
      (_id, signal) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
        }),
    );
    await lifecycle.stop({ id, name, owner });
    await until(id, { status: 'Stopping' });
    await lifecycle.shutdown({ stopWorkspaces: false }, never);
    await expect(store.get(id)).resolves.toMatchObject({
      status: 'Stopping',
      statusMessage: null,
    });
  });

  it('records that running workspaces ended with the portal', async () => {
    const { store, lifecycle, insert, until } = await create();
    const workspace = await insert({ status: 'Stopped' });
    await lifecycle.start(workspace);
    await until(workspace.id, { status: 'Running' });
    await lifecycle.shutdown({ stopWorkspaces: true }, never);

    await expect(store.get(workspace.id)).resolves.toMatchObject({
      status: 'Stopped',
      failed: false,
      statusMessage: 'Stopped with the portal',
    });
  });
});

describe('reconcileWorkspaces', () => {
  it('makes every record true after a crash', async () => {
    const { store, runtime, open, lifecycle, insert, until, logger } =
      await create();
    const alive = await insert({
      status: 'Running',
      steps: [
        {
          id: 'command:seed',
          title: 'Run seed',
          state: 'running',
          progress: null,
          message: null,
          startedAt: '2026-01-01T00:00:00.000Z',
          endedAt: null,
        },
      ],
    });
    const dead = await insert({ status: 'Running' });
    const starting = await insert({ status: 'Starting' });
    const startedMeanwhile = await insert({ status: 'Starting' });
    const stopping = await insert({ status: 'Stopping' });
    const stopped = await insert({ status: 'Stopped' });
    const deleting = await insert({ status: 'Stopped' });
    await store.markDeleting(deleting.id);
    for (const id of [
      alive.id,
      startedMeanwhile.id,
      stopping.id,
      stopped.id,
      'workspace-unlisted',
    ]) {
      runtime.existing.add(id);
      runtime.running.set(id, runtime.target);
    }

    const { ends } = await reconcileWorkspaces({
      store,
      runtime,
      lifecycle,
      logger,
    });
    await ends;

    await until(alive.id, { status: 'Running' });
    expect((await store.get(alive.id))!.steps).toMatchObject([
      { state: 'warning', message: 'Interrupted before it finished' },
    ]);
    await until(dead.id, {
      status: 'Stopped',
      statusMessage: 'The workspace ended while the portal was not running',
    });
    await until(starting.id, { status: 'Running' });
    await until(startedMeanwhile.id, { status: 'Running' });
    await until(stopping.id, { status: 'Stopped' });
    await until(stopped.id, { status: 'Stopped' });
    await expect(store.listIds()).resolves.not.toContain(deleting.id);
    expect([...runtime.running.keys()].sort()).toEqual(
      [alive.id, starting.id, startedMeanwhile.id].sort(),
    );
    expect([...open].sort()).toEqual(
      [alive.id, starting.id, startedMeanwhile.id].sort(),
    );
    expect(runtime.deleted).toEqual([deleting.id]);
  });

  it('does not wait for editors that take long to end', async () => {
    const { store, runtime, lifecycle, insert, until, logger } = await create();
    const running = await insert({ status: 'Running' });
    const stopping = await insert({ status: 'Stopping' });
    let end = () => {};
    vi.spyOn(runtime, 'stop').mockReturnValue(
      new Promise(resolve => (end = resolve)),
    );

    const { ends } = await reconcileWorkspaces({
      store,
      runtime,
      lifecycle,
      logger,
    });
    await until(running.id, { status: 'Stopped' });
    await until(stopping.id, { status: 'Stopping' });
    end();
    await ends;
    await expect(store.get(stopping.id)).resolves.toMatchObject({
      status: 'Stopped',
    });
  });
});
