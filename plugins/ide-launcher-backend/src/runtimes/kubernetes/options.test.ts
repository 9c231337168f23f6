import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mockServices } from '@backstage/backend-test-utils';
import { ConfigReader } from '@backstage/config';
import { JsonObject } from '@backstage/types';
import { ClusterApi } from './api/ClusterApi';
import { readKubernetesRuntimeOptions } from './options';

describe('readKubernetesRuntimeOptions', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'kubernetes-options-'));
    writeFileSync(path.join(folder, 'namespace'), 'slipway\n');
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function read(kubernetes?: JsonObject) {
    return readKubernetesRuntimeOptions(
      new ConfigReader({ ideLauncher: { runtime: 'kubernetes', kubernetes } }),
      {
        logger: mockServices.rootLogger(),
        ownNamespaceFile: path.join(folder, 'namespace'),
      },
    );
  }

  it('by default runs in the cluster, unreachable for other pods', () => {
    expect(read()).toMatchObject({
      connection: { kind: 'in-cluster' },
      instance: 'slipway',
      routingClass: 'cluster',
      reachableFrom: ['slipway', 'devworkspace-controller'],
      podSecurity: 'baseline',
      storageType: 'per-workspace',
      editor: { id: 'che-code', title: 'VS Code' },
      limits: { requestTimeoutMs: 10_000, startTimeoutMs: 900_000 },
    });
  });

  it('reads the connection, the allowed namespaces and the limits', () => {
    expect(
      read({
        connection: 'kubeconfig',
        kubeconfig: { file: '/etc/slipway/kubeconfig', context: 'workspaces' },
        routingClass: 'basic',
        reachableFrom: ['ingress-nginx'],
        podSecurity: 'restricted',
        limits: { startTimeout: '2m' },
      }),
    ).toMatchObject({
      connection: {
        kind: 'kubeconfig',
        file: '/etc/slipway/kubeconfig',
        context: 'workspaces',
      },
      reachableFrom: ['ingress-nginx'],
      podSecurity: 'restricted',
      limits: { startTimeoutMs: 120_000 },
    });
  });

  it.each([
    [{ reachableFrom: [] }],
    [{ routingClass: 'basic' }],
    [{ connection: 'kubeconfig' }],
  ])('makes no network policy with %j', kubernetes => {
    expect(read(kubernetes).reachableFrom).toBeNull();
  });

  it('reads another editor from a devfile', () => {
    const definitionFile = path.join(folder, 'editor.yaml');
    writeFileSync(
      definitionFile,
      'schemaVersion: 2.3.0\nmetadata: {name: vim}\ncomponents: [{name: vim, volume: {}}]\n',
    );
    const { editor, editorTemplate } = read({
      editor: { definitionFile, title: 'Vim' },
    });
    expect(editor).toEqual({ id: 'configured', title: 'Vim', version: null });
    expect(editorTemplate).toEqual({
      components: [{ name: 'vim', volume: {} }],
    });
  });

  it.each([
    [{ connection: 'ssh' }, /^ideLauncher\.kubernetes\.connection must be/],
    [{ podSecurity: 'none' }, /^ideLauncher\.kubernetes\.podSecurity must be/],
    [{ instance: 'not a label' }, /^ideLauncher\.kubernetes\.instance must be/],
  ])('refuses %j, naming the key', (kubernetes, message) => {
    expect(() => read(kubernetes)).toThrow(message);
  });

  it('needs a pod of the cluster for its service account', async () => {
    const { connection, limits } = read();
    const api = new ClusterApi({
      connection,
      limits: { ...limits, requestAttempts: 1 },
    });
    await expect(api.getNamespace('any')).rejects.toThrow(
      "The cluster's address cannot be read from the service account of the portal's pod: KUBERNETES_SERVICE_HOST is not set",
    );
  });
});
