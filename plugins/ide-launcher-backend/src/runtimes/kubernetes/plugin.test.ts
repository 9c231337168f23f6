import { createServer, IncomingMessage } from 'node:http';
import { AddressInfo } from 'node:net';
import { patient } from '@slipway/dev-runner/src/patience.ts';
import { ADA, GRACE, startPortal } from '../../__testUtils__/startPortal';
import { ClusterHarness } from './__testUtils__/harness';

const DEVFILE_URL = 'https://forge.example.org/shop/devfile.yaml';
const DEVFILE = `
schemaVersion: 2.2.2
metadata: {name: shop, version: 1.4.0}
variables: {tag: "3"}
parent: {uri: "https://forge.example.org/parent.yaml"}
components:
  - name: tools
    container:
      image: example.org/tools:{{tag}}
      memoryLimit: 2Gi
      endpoints: [{name: web, targetPort: 8080}]
  - name: picture
    image: {imageName: example.org/shop, dockerfile: {uri: Dockerfile}}
`;
const FILES: Record<string, string> = {
  [DEVFILE_URL]: DEVFILE,
  'https://forge.example.org/parent.yaml':
    'schemaVersion: 2.2.2\ncomponents:\n  - name: cache\n    volume: {size: 1Gi}\n',
};

/** Every read polls the operator, so a state may take this long to appear. */
const TRUE_WITHIN_MS = patient(2_000);

describe('the plugin with the Kubernetes runtime', () => {
  let harness: ClusterHarness;
  const cleanUps: (() => Promise<unknown>)[] = [];

  beforeEach(async () => {
    harness = await ClusterHarness.start();
  });

  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0)) {
      await cleanUp();
    }
    await harness.close();
  });

  async function startClusterPortal() {
    const port = await freePort();
    const { call, stop } = await startPortal({
      files: FILES,
      ideLauncher: {
        runtime: 'kubernetes',
        gateway: {
          urlTemplate: `http://localhost:${port}/w/{workspace}/`,
          listen: { port },
        },
        kubernetes: {
          connection: 'kubeconfig',
          kubeconfig: { file: harness.kubeconfig() },
        },
      },
    });
    cleanUps.unshift(stop);
    const create = (body: object = {}, authorization = ADA) =>
      call('post', '/workspaces', authorization).send({
        devfileUrl: DEVFILE_URL,
        name: 'shop-x1y2',
        ...body,
      });
    const until = (id: string, expected: object, timeout = TRUE_WITHIN_MS) =>
      vi.waitFor(
        async () => {
          const { body } = await call('get', `/workspaces/${id}`);
          expect(body).toMatchObject(expected);
          return body;
        },
        { timeout, interval: 50 },
      );
    return { stop, call, create, until };
  }

  /** Starts an IDE as it responds inside the cluster. */
  async function startIde(): Promise<{ url: string; seen: IncomingMessage[] }> {
    const seen: IncomingMessage[] = [];
    const ide = createServer((req, res) => {
      seen.push(req);
      res.end(`IDE at ${req.url}`);
    });
    await new Promise<void>(resolve => ide.listen(0, '127.0.0.1', resolve));
    cleanUps.push(
      () =>
        new Promise(resolve => {
          ide.close(resolve);
          ide.closeAllConnections();
        }),
    );
    const { port } = ide.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}/ide/`, seen };
  }

  it('creates, opens, stops, starts and deletes a workspace', async () => {
    const ide = await startIde();
    harness.operator.mainUrl = ide.url;
    const { call, create, until } = await startClusterPortal();

    const created = await create();
    expect(created.status).toBe(201);
    const id = created.body.workspaceId;
    const running = await until(id, { status: 'Running' }, 10_000);
    expect(running).toMatchObject({
      runtime: 'kubernetes',
      editor: { id: 'che-code', title: 'VS Code' },
      isolation: { kind: 'pods' },
      warnings: ['Image "example.org/shop" is not built.'],
    });
    // Parent merged, variables replaced, nothing left to fetch.
    expect(harness.server.workspace('shop-x1y2')?.spec?.template).toEqual({
      attributes: { 'controller.devfile.io/storage-type': 'per-workspace' },
      components: [
        { name: 'cache', volume: { size: '1Gi' } },
        expect.objectContaining({
          name: 'tools',
          container: expect.objectContaining({ image: 'example.org/tools:3' }),
        }),
        expect.objectContaining({ name: 'picture' }),
      ],
    });

    const ticket = await call('post', `/workspaces/${id}/ticket`);
    const opened = await fetch(ticket.body.url, { redirect: 'manual' });
    const cookie = opened.headers.get('set-cookie')!.split(';')[0];
    const page = await fetch(new URL('static/app.js', created.body.ideUrl), {
      headers: { cookie },
    });
    expect(await page.text()).toBe('IDE at /ide/static/app.js');
    expect(ide.seen.at(-1)?.headers).toMatchObject({
      host: new URL(ide.url).host,
      'x-forwarded-host': new URL(created.body.ideUrl).host,
    });
    expect(ide.seen.at(-1)?.headers.cookie).toBeUndefined();

    await call('post', `/workspaces/${id}/stop`);
    await until(id, { status: 'Stopped', failed: false });
    await call('post', `/workspaces/${id}/start`);
    await until(id, { status: 'Running' }, 5_000);
    expect((await call('delete', `/workspaces/${id}`)).status).toBe(204);
    expect(harness.server.workspace('shop-x1y2')).toBeUndefined();
  });

  it('shows within 2 seconds what others do in the cluster', async () => {
    const { call, create, until } = await startClusterPortal();
    const { body } = await create();
    const id = body.workspaceId;
    await until(id, { status: 'Running' }, 10_000);

    harness.server.update('shop-x1y2', { spec: { started: false } });
    await until(id, { status: 'Stopped', failed: false, statusMessage: null });
    harness.server.update('shop-x1y2', { spec: { started: true } });
    await until(id, { status: 'Running' });

    harness.operator.stop();
    harness.server.dropWatches();
    harness.server.update('shop-x1y2', {
      status: {
        phase: 'Failing',
        conditions: [
          {
            type: 'FailedStart',
            status: 'True',
            reason: 'InfrastructureFailure',
            message: 'Detected unrecoverable event OOMKilled',
          },
        ],
      },
    });
    const cause =
      'InfrastructureFailure: Detected unrecoverable event OOMKilled';
    await until(id, { status: 'Stopping', failed: true, statusMessage: cause });
    harness.server.update('shop-x1y2', {
      spec: { started: false },
      status: { phase: 'Failed' },
    });
    await until(id, { status: 'Stopped', failed: true, statusMessage: cause });

    harness.server.store.remove(
      'devworkspaces',
      harness.server.workspace('shop-x1y2')!,
    );
    const list = await call('get', '/workspaces?status=Stopped');
    expect(list.body.total).toBe(1);
  });

  it('shows why a start failed, and starts again', async () => {
    harness.operator.failure = {
      reason: 'BadRequest',
      message: 'Image example.org/tools:3 cannot be pulled',
    };
    const { call, create, until } = await startClusterPortal();
    const { body } = await create();
    const id = body.workspaceId;
    const failed = await until(
      id,
      {
        status: 'Stopped',
        failed: true,
        statusMessage: 'BadRequest: Image example.org/tools:3 cannot be pulled',
      },
      10_000,
    );
    expect(failed.steps.at(-1)).toMatchObject({
      title: 'Start the containers',
    });
    harness.operator.failure = undefined;
    await call('post', `/workspaces/${id}/start`);
    await until(
      id,
      { status: 'Running', failed: false, statusMessage: null },
      5_000,
    );
  });

  it('rejects callers in namespaces of others', async () => {
    harness.server.store.add('namespaces', {
      metadata: { name: 'kube-system' },
    });
    harness.server.store.add('namespaces', {
      metadata: {
        name: 'payments',
        labels: {
          'app.kubernetes.io/managed-by': 'slipway',
          'app.kubernetes.io/instance': 'slipway',
        },
        annotations: { 'slipway.dev/owner': 'user:default/ada' },
      },
    });
    const { create } = await startClusterPortal();

    const system = await create({ namespace: 'kube-system' });
    expect(system.status).toBe(403);
    expect(system.body.error).toBe(
      "Namespace 'kube-system' of the cluster was not created by this portal; choose another one",
    );
    expect((await create({ namespace: 'payments' }, GRACE)).status).toBe(403);
    expect((await create({ namespace: 'payments' })).status).toBe(201);
  });

  it('responds 409 if the cluster already has a workspace of that name', async () => {
    const { create, until } = await startClusterPortal();
    const { body } = await create();
    await until(body.workspaceId, { status: 'Running' }, 10_000);
    harness.server.store.add('devworkspaces', {
      metadata: { name: 'theirs', namespace: 'ada-workspaces' },
    });
    const taken = await create({ name: 'theirs' });
    expect(taken.status).toBe(409);
    expect(taken.body).toEqual({
      error:
        "A workspace named 'theirs' already exists in namespace 'ada-workspaces'",
    });
  });

  it('runs without its cluster, reports that, and catches up', async () => {
    harness.server.operatorInstalled = false;
    const { call, create, until } = await startClusterPortal();
    const { body } = await create();
    await until(
      body.workspaceId,
      {
        status: 'Stopped',
        failed: true,
        statusMessage:
          'The cluster knows no DevWorkspaces: an admin must install the DevWorkspace Operator',
      },
      5_000,
    );
    const options = await call('get', '/options');
    expect(options.body.runtime).toMatchObject({
      kind: 'kubernetes',
      editor: { state: 'missing' },
    });
    harness.server.operatorInstalled = true;
    await call('post', `/workspaces/${body.workspaceId}/start`);
    await until(body.workspaceId, { status: 'Running' }, 5_000);
  });

  it('leaves workspaces running when it ends', async () => {
    const { stop, create, until } = await startClusterPortal();
    const { body } = await create();
    await until(body.workspaceId, { status: 'Running' }, 10_000);
    cleanUps.shift();
    await stop();
    expect(harness.server.workspace('shop-x1y2')).toMatchObject({
      spec: { started: true },
      status: { phase: 'Running' },
    });
  });
});

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
