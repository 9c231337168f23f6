import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describeParts } from './parts.ts';
import { readAddresses } from './readAddresses.ts';

describe('readAddresses', () => {
  let root: string;

  const describeService = (name: string, slipway: object) => {
    const folder = path.join(root, 'services', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      path.join(folder, 'package.json'),
      JSON.stringify({ name: `@slipway/${name}`, slipway }),
    );
  };

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'addresses-'));
    writeFileSync(
      path.join(root, 'app-config.yaml'),
      `
app: { baseUrl: 'http://localhost:3000' }
backend: { baseUrl: 'http://localhost:7007', listen: { port: 7007 } }
ideLauncher:
  gateway: { urlTemplate: 'http://localhost:7010/w/{workspace}/' }
`,
    );
    describeService('tea-room', {
      title: 'Tea room',
      port: 8300,
      signIn: 'open to all',
      stateFolders: ['leaves.directory'],
    });
    describeService('space-metrics', {
      title: 'SPACE metrics',
      port: 8000,
      proxied: true,
      signIn: 'with a key',
    });
  });

  afterEach(() => rmSync(root, { recursive: true }));

  it('reads the configuration', async () => {
    await expect(readAddresses({ root, env: {} })).resolves.toEqual({
      portal: 'http://localhost:3000',
      api: 'http://localhost:7007',
      ide: 'http://localhost:7010',
      services: [
        {
          name: 'space-metrics',
          configKey: 'spaceMetrics',
          title: 'SPACE metrics',
          port: 8000,
          proxied: true,
          signIn: 'with a key',
          stateFolders: [],
          url: 'http://localhost:8000',
        },
        {
          name: 'tea-room',
          configKey: 'teaRoom',
          title: 'Tea room',
          port: 8300,
          proxied: false,
          signIn: 'open to all',
          stateFolders: ['leaves.directory'],
          url: 'http://localhost:8300',
        },
      ],
      apiPort: 7007,
      idePort: 7010,
    });
  });

  it('applies a local file and the environment, also for the parts', async () => {
    writeFileSync(
      path.join(root, 'app-config.local.yaml'),
      `app: { baseUrl: 'http://localhost:3100' }`,
    );
    const addresses = await readAddresses({
      root,
      env: {
        APP_CONFIG_backend_listen_port: '7107',
        APP_CONFIG_ideLauncher_gateway_listen_port: '7110',
        APP_CONFIG_spaceMetrics_listen_port: '8001',
      },
    });

    expect(addresses).toMatchObject({ portal: 'http://localhost:3100' });
    expect(describeParts(addresses).map(({ ports }) => ports)).toEqual([
      [],
      [3100],
      [7107, 7110],
      [8001],
      [8300],
    ]);
  });

  it('names a service without metadata', async () => {
    describeService('nameless', { port: 8400 });
    await expect(readAddresses({ root, env: {} })).rejects.toThrow(
      'services/nameless/package.json needs a title, a port and signIn',
    );
  });
});
