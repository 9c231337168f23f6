import path from 'node:path';
import { mockServices } from '@backstage/backend-test-utils';
import { ConfigReader } from '@backstage/config';
import { IdeAddresses } from '../../ide-gateway/ideRoutes';
import { readLocalRuntimeOptions } from './options';

const logger = mockServices.rootLogger();

function read(local: object, env: NodeJS.ProcessEnv = {}) {
  return readLocalRuntimeOptions(new ConfigReader({ ideLauncher: { local } }), {
    logger,
    env,
    addresses: new IdeAddresses('http://localhost:7010/w/{workspace}/'),
  });
}

describe('readLocalRuntimeOptions', () => {
  it('needs only the data folder', () => {
    const options = read(
      { dataDirectory: 'data' },
      { PATH: '/usr/bin:/tmp/xfs-1a2b:.:/bin' },
    );

    expect(options).toMatchObject({
      dataDir: path.resolve('data'),
      editorCommand: undefined,
      path: '/usr/bin:/bin',
      caFile: undefined,
      limits: { startTimeoutMs: 30_000, cloneMaxBytes: 2 * 1024 ** 3 },
      lease: { intervalMs: 5_000, timeoutMs: 120_000 },
    });
    expect(options.managedTool?.name).toBe('code-server');
  });

  it('reads what an operator sets', () => {
    const options = read({
      dataDirectory: '/data',
      editor: { command: ['my-editor', '{socket}'], install: false },
      environment: { HTTPS_PROXY: 'http://proxy.example.org' },
      limits: { startTimeout: { minutes: 1 }, cloneMaxMebibytes: 1 },
    });

    expect(options).toMatchObject({
      editorCommand: {
        command: ['my-editor', '{socket}'],
        title: 'my-editor',
        healthPath: '/healthz',
      },
      managedTool: null,
      environment: { HTTPS_PROXY: 'http://proxy.example.org' },
      limits: { startTimeoutMs: 60_000, cloneMaxBytes: 1024 ** 2 },
    });
  });

  it('trusts the configured authorities, if they can be read', () => {
    const file = import.meta.filename;
    expect(
      read({ dataDirectory: '/d' }, { NODE_EXTRA_CA_CERTS: file }).caFile,
    ).toBe(file);
    expect(
      read({ dataDirectory: '/d' }, { NODE_EXTRA_CA_CERTS: '/missing' }).caFile,
    ).toBeUndefined();
  });
});
