import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generate } from 'selfsigned';
import { eventually } from '../../../__testUtils__/eventually';
import { API_TOKEN, FakeApiServer } from '../__testUtils__/FakeApiServer';
import { ClusterApi } from './ClusterApi';

describe('a portal in a pod of the cluster', () => {
  const { cert, private: key } = generate(
    [{ name: 'commonName', value: '127.0.0.1' }],
    {
      keySize: 2048,
      extensions: [
        { name: 'basicConstraints', cA: true },
        { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
      ],
    },
  );
  const server = new FakeApiServer({ key, cert });
  const root = mkdtempSync(path.join(tmpdir(), 'pod-'));
  const secrets = path.join(
    root,
    'var/run/secrets/kubernetes.io/serviceaccount',
  );

  beforeAll(async () => {
    await server.start();
    mkdirSync(secrets, { recursive: true });
    writeFileSync(path.join(secrets, 'token'), API_TOKEN);
    writeFileSync(path.join(secrets, 'namespace'), 'slipway');
    writeFileSync(path.join(secrets, 'ca.crt'), cert);
    const { hostname, port } = new URL(server.url);
    vi.stubEnv('KUBERNETES_SERVICE_HOST', hostname);
    vi.stubEnv('KUBERNETES_SERVICE_PORT', port);
  });

  afterAll(async () => {
    vi.unstubAllEnvs();
    await server.stop();
    rmSync(root, { recursive: true, force: true });
  });

  function api() {
    return new ClusterApi({
      connection: { kind: 'in-cluster', root },
      limits: {
        requestTimeoutMs: 2_000,
        requestAttempts: 1,
        startTimeoutMs: 1_000,
        stopTimeoutMs: 1_000,
        watchBackoffMaxMs: 1_000,
        eventIntervalMs: 1_000,
      },
    });
  }

  it('reads, writes and watches with the service account, over TLS', async () => {
    const cluster = api();
    await cluster.createNamespace({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'ada-workspaces' },
    });
    expect((await cluster.getNamespace('ada-workspaces'))?.metadata.name).toBe(
      'ada-workspaces',
    );
    const { resourceVersion } = await cluster.listWorkspaces('');
    const abort = new AbortController();
    const opened = vi.fn();
    const watch = cluster.watchWorkspaces({
      labelSelector: '',
      resourceVersion,
      signal: abort.signal,
      onOpen: opened,
      onEvent: () => {},
    });
    await eventually(() => expect(opened).toHaveBeenCalled());
    abort.abort();
    await watch;
  });

  it('trusts only the certificate authority of its cluster', async () => {
    const other = generate([{ name: 'commonName', value: 'other' }], {
      keySize: 2048,
    });
    writeFileSync(path.join(secrets, 'ca.crt'), other.cert);
    await expect(api().getNamespace('any')).rejects.toThrow(
      /^The cluster cannot be reached: .*certificate/,
    );
  });
});
