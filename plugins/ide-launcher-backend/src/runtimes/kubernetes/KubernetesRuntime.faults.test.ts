import { patient } from '@slipway/dev-runner/src/patience.ts';
import { eventually } from '../../__testUtils__/eventually';
import {
  FakeApiServer,
  Fault,
  SeenRequest,
} from './__testUtils__/FakeApiServer';
import {
  ClusterHarness,
  recordChanges,
  RecordingReporter,
} from './__testUtils__/harness';
import { CRD_PATH } from './__testUtils__/objectSchemas';
import { KubernetesRuntime } from './KubernetesRuntime';

const ID = 'workspace-01test';
const NAME = 'shop-x1y2';
const never = new AbortController().signal;

/** Time within which the portal must reflect the state of the cluster. */
const TRUE_WITHIN_MS = patient(2_000);

/** Responds to the first matching requests with a fault, then serves normally. */
function failTimes(
  server: FakeApiServer,
  times: number,
  matches: (request: SeenRequest) => boolean,
  fault: Fault,
): () => number {
  let left = times;
  server.fault = request => {
    if (left > 0 && matches(request)) {
      left -= 1;
      return fault;
    }
    return undefined;
  };
  return () => left;
}

const CONFLICT: Fault = {
  code: 409,
  reason: 'Conflict',
  message: 'the object has been modified',
};

if (!CRD_PATH) {
  // eslint-disable-next-line no-console
  console.warn(
    'SLIPWAY_DEVWORKSPACE_CRD is not set: objects are checked against our own schema alone, not the operator’s definitions',
  );
}

describe('KubernetesRuntime in a cluster with faults', () => {
  let harness: ClusterHarness;
  let runtime: KubernetesRuntime;

  beforeEach(async () => {
    harness = await ClusterHarness.start();
    runtime = harness.runtime();
  });

  afterEach(async () => {
    harness.server.fault = () => undefined;
    await harness.close();
  });

  function start(reporter = new RecordingReporter()) {
    return runtime.start(harness.spec(ID), reporter, never);
  }

  async function untilWatching() {
    await vi.waitFor(() => expect(harness.server.watching).toBe(1));
  }

  it('reports each state within 2 seconds while the watch breaks 20 times', async () => {
    await start();
    harness.operator.stop();
    const changes = recordChanges(runtime);
    const latencies: number[] = [];
    for (let count = 0; count < 20; count += 1) {
      await untilWatching();
      harness.server.dropWatches();
      const phase = count % 2 === 0 ? 'Starting' : 'Running';
      harness.server.update(NAME, { status: { phase } });
      const since = Date.now();
      await vi.waitFor(
        () => {
          expect(changes).toHaveLength(count + 1);
          expect(changes[count].status).toBe(phase);
        },
        { timeout: TRUE_WITHIN_MS, interval: 10 },
      );
      latencies.push(Date.now() - since);
    }
    expect(Math.max(...latencies)).toBeLessThan(TRUE_WITHIN_MS);
    // At most one list request: interrupted watches resume at their last position.
    const lists = harness.server.seen.filter(
      ({ path, watch }) => path.endsWith('/v1alpha2/devworkspaces') && !watch,
    );
    expect(lists.length).toBeLessThanOrEqual(2);
  });

  it('lists again when its position has expired, for both forms of the error', async () => {
    await start();
    harness.operator.stop();
    const changes = recordChanges(runtime);
    await untilWatching();
    harness.server.sendRaw('ERROR', {
      kind: 'Status',
      code: 410,
      reason: 'Expired',
      message: 'too old resource version',
    });
    harness.server.dropWatches();
    harness.server.update(NAME, { status: { phase: 'Starting' } });
    harness.server.store.compact();
    await vi.waitFor(() => expect(changes.at(-1)?.status).toBe('Starting'), {
      timeout: TRUE_WITHIN_MS,
    });

    await untilWatching();
    harness.server.dropWatches();
    const object = harness.server.workspace(NAME)!;
    harness.server.store.remove('devworkspaces', object);
    harness.server.store.compact();
    await vi.waitFor(
      () =>
        expect(changes.at(-1)).toMatchObject({
          status: 'Stopped',
          message: 'The workspace was deleted in the cluster',
        }),
      { timeout: TRUE_WITHIN_MS },
    );
  });

  it('handles duplicate and out-of-order events', async () => {
    await start();
    await untilWatching();
    const changes = recordChanges(runtime);
    const running = structuredClone(harness.server.workspace(NAME)!);
    harness.operator.stop();
    harness.server.update(NAME, {
      spec: { started: false },
      status: { phase: 'Stopped' },
    });
    harness.server.sendRaw('MODIFIED', running);
    harness.server.sendRaw('ADDED', running);
    harness.server.sendRaw('DELETED', {
      ...running,
      metadata: { ...running.metadata, uid: 'of-an-earlier-one' },
    });
    await eventually(() => expect(changes).toHaveLength(1));
    await new Promise(resolve => setTimeout(resolve, 200));
    expect(changes.map(({ status }) => status)).toEqual(['Stopped']);
  });

  it('reports changes by others, with the cause of a failure', async () => {
    await start();
    await untilWatching();
    const changes = recordChanges(runtime);
    harness.server.update(NAME, { spec: { started: false } });
    await eventually(() => expect(changes.at(-1)?.status).toBe('Stopped'));

    harness.operator.failure = {
      reason: 'InfrastructureFailure',
      message: 'Detected unrecoverable event FailedMount',
    };
    harness.server.update(NAME, { spec: { started: true } });
    await eventually(() =>
      expect(changes.slice(-2)).toMatchObject([
        { status: 'Stopping' },
        {
          status: 'Stopped',
          failure:
            'InfrastructureFailure: Detected unrecoverable event FailedMount',
        },
      ]),
    );
  });

  it('rejects a failed start with the cause, and logs the events of the cluster', async () => {
    harness.operator.failure = {
      reason: 'BadRequest',
      message: 'Error processing devfile: no such image',
    };
    harness.operator.stuck = true;
    const reporter = new RecordingReporter();
    const outcome = start(reporter).catch(error => error);
    await eventually(() =>
      expect(harness.server.workspace(NAME)?.status?.phase).toBe('Starting'),
    );
    const { devworkspaceId } = harness.server.workspace(NAME)!.status!;
    harness.server.store.add('events', {
      metadata: { name: 'e1', namespace: 'ada-workspaces' },
      type: 'Warning',
      reason: 'Failed',
      message: 'Failed to pull image "example.org/tools:1"',
      involvedObject: { kind: 'Pod', name: `${devworkspaceId}-7d9f` },
    });
    harness.operator.stuck = false;
    harness.server.update(NAME, {});

    expect(await outcome).toMatchObject({
      name: 'StartFailedError',
      message: 'BadRequest: Error processing devfile: no such image',
      stillStopping: true,
    });
    expect(reporter.lines).toContain(
      'Warning: Failed: Failed to pull image "example.org/tools:1"',
    );
    // The next start must not report the failure of the last one.
    harness.operator.failure = undefined;
    await runtime.stop(ID);
    expect((await start()).target.kind).toBe('origin');
  });

  it('aborts a start without progress, naming what it waits for', async () => {
    harness.operator.stuck = true;
    runtime = harness.runtime({}, { startTimeoutMs: 3_000 });
    await expect(start()).rejects.toThrow(
      'The workspace did not start within 3 seconds: Initializing DevWorkspace',
    );
    expect(harness.server.workspace(NAME)?.spec?.started).toBe(false);
  });

  it('retries after a conflict, an error or a broken connection', async () => {
    const left = failTimes(
      harness.server,
      2,
      ({ method, path }) => method === 'POST' && path.endsWith('devworkspaces'),
      { code: 500, reason: 'InternalError', message: 'etcd leader changed' },
    );
    await start();
    expect(left()).toBe(0);
    await runtime.stop(ID);

    // A newer editor: the template is replaced, and the first replacement is too late.
    runtime = harness.runtime({
      editorTemplate: { components: [{ name: 'other', volume: {} }] },
    });
    const conflicts = failTimes(
      harness.server,
      2,
      ({ method }) => method === 'PUT',
      CONFLICT,
    );
    await start();
    expect(conflicts()).toBe(0);
    const [template] = harness.server.store.list('devworkspacetemplates');
    expect(template.spec).toEqual({
      components: [{ name: 'other', volume: {} }],
    });

    const drops = failTimes(
      harness.server,
      2,
      ({ method }) => method === 'PATCH',
      'drop',
    );
    await runtime.stop(ID);
    expect(drops()).toBe(0);
  });

  it('names the missing permission of the portal', async () => {
    harness.server.fault = ({ method, path }) =>
      method === 'POST' && path.endsWith('devworkspaces')
        ? {
            code: 403,
            reason: 'Forbidden',
            message:
              'devworkspaces.workspace.devfile.io is forbidden: User "system:serviceaccount:slipway:portal" cannot create resource "devworkspaces"',
          }
        : undefined;
    await expect(start()).rejects.toThrow(
      /^The portal may not create devworkspaces in ada-workspaces: .* cannot create resource "devworkspaces"$/,
    );
  });

  it('reports a missing operator, and works once it is installed', async () => {
    harness.server.operatorInstalled = false;
    const missing =
      'The cluster knows no DevWorkspaces: an admin must install the DevWorkspace Operator';
    await expect(runtime.list()).rejects.toThrow(missing);
    await expect(start()).rejects.toThrow(missing);
    await eventually(() =>
      expect(runtime.editor()).toEqual({
        state: 'missing',
        editor: null,
        progress: null,
        message: missing,
      }),
    );
    harness.server.operatorInstalled = true;
    await start();
  });

  it('reports an unreachable cluster, and catches up afterwards', async () => {
    await start();
    await untilWatching();
    const changes = recordChanges(runtime);
    await harness.server.stop();
    await expect(runtime.stop(ID)).rejects.toThrow(
      /^The cluster cannot be reached: .*ECONNREFUSED/,
    );
    harness.operator.stop();
    harness.server.update(NAME, { status: { phase: 'Failed' } });
    await harness.server.start();
    await vi.waitFor(() => expect(changes.at(-1)?.status).toBe('Stopped'), {
      timeout: TRUE_WITHIN_MS,
    });
  });

  it('times out if a cluster is not responding', async () => {
    runtime = harness.runtime(
      {},
      { requestTimeoutMs: 100, requestAttempts: 2 },
    );
    harness.server.fault = () => 'hang';
    await expect(start()).rejects.toThrow(
      'The cluster cannot be reached: it did not answer in time',
    );
  });

  it('reports rejected credentials', async () => {
    runtime = harness.runtime({
      connection: { kind: 'kubeconfig', file: harness.kubeconfig('expired') },
    });
    await expect(start()).rejects.toThrow(
      'The cluster does not accept the credentials of the portal',
    );
  });

  it('reports where it looked for the cluster', async () => {
    runtime = harness.runtime({
      connection: { kind: 'kubeconfig', file: '/nonexistent/kubeconfig' },
    });
    await expect(start()).rejects.toThrow(
      /^The cluster's address cannot be read from \/nonexistent\/kubeconfig: /,
    );
  });
});
