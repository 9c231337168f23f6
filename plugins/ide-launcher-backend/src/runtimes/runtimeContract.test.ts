import { Harness } from './local/__testUtils__/harness';
import {
  ClusterHarness,
  RecordingReporter,
} from './kubernetes/__testUtils__/harness';
import { WorkspaceRuntime, WorkspaceSpec } from './WorkspaceRuntime';

const ID = 'workspace-01test';
const never = new AbortController().signal;

/** The environment of one test, with a runtime in it. */
interface Place {
  /** Creates another runtime for the same workspaces, like a restarted portal. */
  runtime(): WorkspaceRuntime;
  spec(id: string): WorkspaceSpec;
  /** Returns a spec whose start takes long enough to be interrupted. */
  slow(spec: WorkspaceSpec): WorkspaceSpec;
  /** Returns a spec whose start fails. */
  failing(spec: WorkspaceSpec): WorkspaceSpec;
  close(): Promise<void>;
}

function withVariable(spec: WorkspaceSpec, name: string): WorkspaceSpec {
  const devfile = structuredClone(spec.devfile);
  for (const component of devfile.components) {
    if (component.type === 'container') {
      component.container.env.push({ name, value: '5000' });
    }
  }
  return { ...spec, devfile };
}

async function localPlace(): Promise<Place> {
  const harness = new Harness();
  return {
    runtime: () => harness.runtime(),
    spec: id => harness.spec(id),
    slow: spec => withVariable(spec, 'FAKE_READY_AFTER_MS'),
    failing: spec => withVariable(spec, 'FAKE_FAILS'),
    close: () => harness.close(),
  };
}

async function clusterPlace(): Promise<Place> {
  const harness = await ClusterHarness.start();
  return {
    runtime: () => harness.runtime(),
    spec: id => harness.spec(id, { name: id }),
    slow: spec => {
      harness.operator.stuck = true;
      return spec;
    },
    failing: spec => {
      harness.operator.failure = { reason: 'Broken', message: 'No luck today' };
      return spec;
    },
    close: () => harness.close(),
  };
}

describe.each([
  ['local', localPlace],
  ['kubernetes', clusterPlace],
] as const)('the runtime %s', (kind, open) => {
  let place: Place;
  let runtime: WorkspaceRuntime;

  beforeEach(async () => {
    place = await open();
    runtime = place.runtime();
  });

  afterEach(() => place.close());

  const start = (spec: WorkspaceSpec, signal = never) =>
    runtime.start(spec, new RecordingReporter(), signal);

  async function isRunning(id: string, of = runtime) {
    const found = (await of.list()).find(workspace => workspace.id === id);
    return found?.running ?? false;
  }

  it('describes itself and its isolation', () => {
    expect(runtime.kind).toBe(kind);
    expect(runtime.editor().state).toBe('ready');
    expect(runtime.isolation().gaps).toBeInstanceOf(Array);
  });

  it('starts a workspace once, and lists it with its IDE', async () => {
    const started = await start(place.spec(ID));
    expect(started.target.kind).not.toBe('none');
    const [listed] = await runtime.list();
    expect(listed).toMatchObject({ id: ID, running: true, ...started });
  });

  it('stops, starts again and deletes, each idempotently', async () => {
    await start(place.spec(ID));
    await runtime.stop(ID);
    await runtime.stop(ID);
    expect(await isRunning(ID)).toBe(false);
    await start(place.spec(ID));
    expect(await isRunning(ID)).toBe(true);
    await runtime.delete(ID);
    await runtime.delete(ID);
    expect(await runtime.list()).toEqual([]);
  });

  it('succeeds when stopping and deleting unknown workspaces', async () => {
    await runtime.stop('workspace-none');
    await runtime.delete('workspace-none');
    expect(await runtime.list()).toEqual([]);
  });

  it('ends an aborted start, with nothing running once it is stopped', async () => {
    const abort = new AbortController();
    const outcome = start(place.slow(place.spec(ID)), abort.signal).catch(
      (error: Error) => error.message,
    );
    await new Promise(resolve => setTimeout(resolve, 300));
    abort.abort(new Error('Nobody waits'));
    expect(await outcome).toBe('Nobody waits');
    await runtime.stop(ID);
    expect(await isRunning(ID)).toBe(false);
  });

  it('rejects a start that fails with a message for people, and leaves nothing running', async () => {
    await expect(start(place.failing(place.spec(ID)))).rejects.toThrow(
      /No luck today|ended with exit code 3/,
    );
    await runtime.stop(ID);
    expect(await isRunning(ID)).toBe(false);
  });

  it('finds what an earlier portal started', async () => {
    const started = await start(place.spec(ID));
    await runtime.shutdown({ stopWorkspaces: false });
    const later = place.runtime();
    expect(await later.list()).toMatchObject([
      { id: ID, running: true, target: started.target },
    ]);
    await later.stop(ID);
    expect(await isRunning(ID, later)).toBe(false);
  });

  it.each(['../other', 'workspace-A', 'workspace-a,b=c', ''])(
    'touches nothing for the id %j',
    async id => {
      await expect(runtime.delete(id)).rejects.toThrow('Not a workspace id');
      await expect(start({ ...place.spec(ID), id })).rejects.toThrow(
        'Not a workspace id',
      );
    },
  );

  it('starts several at once', async () => {
    const ids = ['workspace-1', 'workspace-2', 'workspace-3'];
    await Promise.all(ids.map(id => start(place.spec(id))));
    const running = (await runtime.list()).filter(found => found.running);
    expect(running.map(({ id }) => id).sort()).toEqual(ids);
  });
});
