import { eventually } from '../../__testUtils__/eventually';
import {
  ClusterHarness,
  recordChanges,
  RecordingReporter,
} from './__testUtils__/harness';

const ID = 'workspace-01test';
const never = new AbortController().signal;

describe('KubernetesRuntime', () => {
  let harness: ClusterHarness;

  beforeEach(async () => {
    harness = await ClusterHarness.start();
  });

  afterEach(async () => {
    await harness.close();
  });

  it('brings up a namespace, the workspace, its editor, and then starts', async () => {
    const runtime = harness.runtime();
    const reporter = new RecordingReporter();
    const started = await runtime.start(harness.spec(ID), reporter, never);

    expect(started).toEqual({
      target: { kind: 'origin', url: 'http://ide.cluster.local:3100/' },
      editor: { id: 'che-code', title: 'VS Code', version: null },
    });
    const writes = harness.server.seen
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path, body }) => [
        method,
        path.split('/').at(-1),
        (body?.spec as { started?: boolean } | undefined)?.started,
      ]);
    expect(writes).toEqual([
      ['POST', 'namespaces', undefined],
      ['POST', 'networkpolicies', undefined],
      ['POST', 'devworkspaces', false],
      ['POST', 'devworkspacetemplates', undefined],
      ['PATCH', 'shop-x1y2', true],
    ]);
    expect(
      [...reporter.steps.values()].map(({ title, state }) => [title, state]),
    ).toEqual([
      ['Prepare ada-workspaces', 'done'],
      ['Create shop-x1y2 in the cluster', 'done'],
      ['Add VS Code', 'done'],
      ['Resolve the devfile', 'done'],
      ['Prepare the storage', 'done'],
      ['Open the routes', 'done'],
      ['Prepare the service account', 'done'],
      ['Start the containers', 'done'],
      ['Wait for the IDE', 'done'],
    ]);
    expect(await runtime.list()).toEqual([
      expect.objectContaining({ id: ID, running: true, status: 'Running' }),
    ]);
  });

  it('stops and deletes idempotently', async () => {
    const runtime = harness.runtime();
    const changes = recordChanges(runtime);
    await runtime.start(harness.spec(ID), new RecordingReporter(), never);

    await runtime.stop(ID);
    await runtime.stop(ID);
    expect(harness.server.workspace('shop-x1y2')).toMatchObject({
      spec: { started: false },
      status: { phase: 'Stopped' },
    });
    await runtime.delete(ID);
    await runtime.delete(ID);
    expect(harness.server.workspace('shop-x1y2')).toBeUndefined();
    expect(harness.server.store.list('devworkspacetemplates')).toEqual([]);
    expect(await runtime.list()).toEqual([]);
    expect(changes).toEqual([]);
  });

  it('reports no workspace as stopped that another replica is about to start', async () => {
    const other = harness.runtime();
    const changes = recordChanges(other);
    other.prepare();
    await eventually(() => expect(harness.server.watching).toBe(1));
    const starting = harness.runtime();
    await starting.start(harness.spec(ID), new RecordingReporter(), never);

    await eventually(() => expect(changes.at(-1)?.status).toBe('Running'));
    expect(changes.map(({ status }) => status)).not.toContain('Stopped');
  });

  it('reports no workspace as stopped that another replica creates again', async () => {
    const other = harness.runtime();
    const changes = recordChanges(other);
    other.prepare();
    await eventually(() => expect(harness.server.watching).toBe(1));
    const starting = harness.runtime();
    const start = () =>
      starting.start(harness.spec(ID), new RecordingReporter(), never);
    await start();
    await eventually(() => expect(changes.at(-1)?.status).toBe('Running'));
    harness.server.store.remove(
      'devworkspaces',
      harness.server.workspace('shop-x1y2')!,
    );
    await eventually(() => expect(changes.at(-1)?.status).toBe('Stopped'));
    await start();

    await eventually(() => expect(changes.at(-1)?.status).toBe('Running'));
    const stops = changes.filter(({ status }) => status === 'Stopped');
    expect(stops.map(({ message }) => message)).toEqual([
      'The workspace was deleted in the cluster',
    ]);
  });

  it('does not report a deletion of nothing', async () => {
    const runtime = harness.runtime();
    const changes = recordChanges(runtime);
    await runtime.delete(ID);
    expect(changes).toEqual([]);
  });
});
