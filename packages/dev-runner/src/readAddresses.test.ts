import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describeParts } from './parts.ts';
import { readAddresses } from './readAddresses.ts';

describe('readAddresses', () => {
  let root: string;

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
  });

  afterEach(() => rmSync(root, { recursive: true }));

  it('reads what the configuration says', async () => {
    await expect(readAddresses({ root, env: {} })).resolves.toEqual({
      portal: 'http://localhost:3000',
      api: 'http://localhost:7007',
      ide: 'http://localhost:7010',
      spaceMetrics: 'http://localhost:8000',
      buildServer: 'http://localhost:8200',
      featureFlags: 'http://localhost:4242',
      analytics: 'http://localhost:8100',
      feedback: 'http://localhost:8080',
      designSite: 'http://localhost:6006',
      apiPort: 7007,
      idePort: 7010,
    });
  });

  it('follows a local file and the environment, and the parts with it', async () => {
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
      [8200],
      [4242],
      [8100],
      [8080],
      [6006],
    ]);
  });
});
