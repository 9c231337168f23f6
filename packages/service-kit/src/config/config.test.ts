import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { ProductionFault } from '@slipway/platform-guards';
import { Type } from 'typebox';
import { ConfigurationError } from '../errors/ServiceError.ts';
import { validateConfig } from './validateConfig.ts';
import { findFaults, findRepositoryRoot, readSection } from './readSection.ts';

const schema = Type.Object({
  zone: Type.String(),
  size: Type.Integer({ minimum: 1, default: 5 }),
});

function validate(section: unknown, faults?: readonly ProductionFault[]) {
  return validateConfig(section, {
    configKey: 'shop',
    schema,
    faults,
    common: { name: 'shop', port: 8_000, perMinute: 100, bodyLimit: 1_024 },
  });
}

function faultsOf(work: () => unknown): readonly string[] {
  try {
    work();
  } catch (error) {
    if (error instanceof ConfigurationError) {
      return error.faults;
    }
    throw error;
  }
  return [];
}

describe('validateConfig', () => {
  it('fills in defaults', () => {
    expect(validate({ zone: 'UTC' })).toMatchObject({
      zone: 'UTC',
      size: 5,
      listen: { host: '127.0.0.1', port: 8_000 },
      database: {
        client: 'better-sqlite3',
        connection: { filename: '.data/shop/db.sqlite' },
      },
      rateLimit: { store: 'memory', perMinute: 100 },
      tracing: { enabled: false },
    });
  });

  it('converts strings from the environment to numbers', () => {
    const { listen, size } = validate({
      zone: 'UTC',
      size: '7',
      listen: { port: '9000' },
    });
    expect([size, listen.port]).toEqual([7, 9_000]);
  });

  it('does not modify its input', () => {
    const section = Object.freeze({ zone: 'UTC', listen: Object.freeze({}) });
    expect(validate(section).listen.port).toBe(8_000);
  });

  it('reports every error at once, with its full key', () => {
    const section = {
      size: 0,
      colour: 'red',
      listen: { port: 70_000, prot: 1 },
      database: { client: 'mysql' },
      rateLimit: { store: 'redis' },
      egress: { allowedHosts: ['hooks.internal', '10.0.0.0/8', '10.0.0.0/33'] },
      auth: { apiKeys: [{ name: 'a' }, { name: 'b', key: 'x', sha256: 'y' }] },
    };
    expect(new Set(faultsOf(() => validate(section)))).toEqual(
      new Set([
        'shop.zone is required',
        'shop.size must be >= 1',
        'shop.colour is not a known key',
        'shop.listen.port must be <= 65535',
        'shop.listen.prot is not a known key',
        'shop.database.client must be one of better-sqlite3, pg',
        'shop.egress.allowedHosts[2] must be a host name, an address or a range',
        'shop.rateLimit.redis is required with the store redis',
        'shop.auth.apiKeys[1].sha256 must match pattern "^[0-9a-fA-F]{64}$"',
        'shop.auth.apiKeys[0] must have key or sha256, one of the two',
        'shop.auth.apiKeys[1] must have key or sha256, one of the two',
      ]),
    );
  });

  it('requires a different id for each webhook', () => {
    const webhook = { id: 'chat', url: 'https://a.example', secret: 's' };
    expect(
      faultsOf(() =>
        validate({
          zone: 'UTC',
          webhooks: [webhook, { ...webhook, id: 'log' }, webhook],
        }),
      ),
    ).toEqual(["shop.webhooks[2].id must not be 'chat' again"]);
  });

  it('allows ids of webhooks that are as long as the column of their deliveries', () => {
    const webhook = { url: 'https://a.example', secret: 's' };
    const faultsOfId = (id: string) =>
      faultsOf(() => validate({ zone: 'UTC', webhooks: [{ ...webhook, id }] }));
    expect(faultsOfId('i'.repeat(64))).toEqual([]);
    expect(faultsOfId('i'.repeat(65))).toEqual([
      expect.stringContaining('shop.webhooks[0].id'),
    ]);
  });

  it('requires a valid address for each webhook', () => {
    const webhook = { id: 'chat', url: 'https://a b', secret: 's' };
    expect(
      faultsOf(() => validate({ zone: 'UTC', webhooks: [webhook] })),
    ).toEqual(['shop.webhooks[0].url must be an http or https address']);
  });

  it('reports only the known error for an invalid key', () => {
    const faults = [
      { key: 'shop.zone', message: 'shop.zone needs ZONE' },
      {
        key: 'shop.auth.apiKeys[0].key',
        message: 'shop.auth.apiKeys[0].key needs KEY',
      },
    ];
    const section = { size: 0, auth: { apiKeys: [{ name: 'a' }] } };
    expect(faultsOf(() => validate(section, faults))).toEqual([
      'shop.zone needs ZONE',
      'shop.auth.apiKeys[0].key needs KEY',
      'shop.size must be >= 1',
    ]);
  });

  it('accepts both databases and reports what is wrong with one', () => {
    const section = (database: object) => ({ zone: 'UTC', database });
    const url = 'postgresql://user@host/db';
    expect(
      validate(section({ client: 'pg', connection: url })).database,
    ).toMatchObject({ client: 'pg', connection: url });
    expect(
      faultsOf(() => validate(section({ client: 'better-sqlite3' }))),
    ).toEqual(['shop.database.connection is required']);
  });
});

describe('readSection', () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(path.join(os.tmpdir(), 'service-kit-'));
    await writeFile(
      path.join(root, 'app-config.yaml'),
      `
app: { baseUrl: http://portal.example }
backend: { baseUrl: http://api.example }
shop:
  zone: UTC
  listen: { port: 1 }
  key: \${SHOP_KEY}
`,
    );
    await writeFile(
      path.join(root, 'app-config.extra.yaml'),
      'shop: { zone: CET }',
    );
  });

  afterEach(() => rm(root, { recursive: true }));

  it('reads the file, its variables, and APP_CONFIG_… over both', async () => {
    const section = await readSection({
      configKey: 'shop',
      root,
      argv: [],
      env: { SHOP_KEY: 'secret', APP_CONFIG_shop_listen_port: '2' },
    });
    expect(section).toEqual({
      zone: 'UTC',
      listen: { port: 2 },
      key: 'secret',
      portal: {
        baseUrl: 'http://api.example',
        appUrl: 'http://portal.example',
      },
    });
  });

  it('reads the files given with --config', async () => {
    const section = await readSection({
      configKey: 'shop',
      root,
      argv: [
        '--config',
        path.join(root, 'app-config.yaml'),
        '--config',
        path.join(root, 'app-config.extra.yaml'),
      ],
      env: {},
    });
    expect(section).toMatchObject({ zone: 'CET', listen: { port: 1 } });
  });
});

describe('findFaults', () => {
  it('checks the section of the service and the addresses of the portal', async () => {
    const root = await mkdtemp(path.join(os.tmpdir(), 'service-kit-'));
    try {
      await writeFile(
        path.join(root, 'app-config.yaml'),
        `
app: { baseUrl: http://localhost:3000, title: '\${TITLE}' }
shop: { key: dev-space-key, url: '\${SHOP_URL}' }
shopping: { url: '\${SHOPPING_URL}' }
`,
      );
      const keysIn = async (env: NodeJS.ProcessEnv) => {
        const faults = await findFaults({
          configKey: 'shop',
          root,
          argv: [],
          env,
        });
        return faults.map(({ key }) => key);
      };
      expect(await keysIn({ NODE_ENV: 'production' })).toEqual([
        'shop.url',
        'shop.key',
        'app.baseUrl',
      ]);
      expect(await keysIn({})).toEqual([]);
    } finally {
      await rm(root, { recursive: true });
    }
  });
});

it('finds the repository from any directory in it', () => {
  const here = findRepositoryRoot(import.meta.dirname);
  expect(here.version).toMatch(/^\d+\.\d+\.\d+/);
  expect(path.relative(here.root, import.meta.dirname)).toBe(
    path.join('packages', 'service-kit', 'src', 'config'),
  );
  expect(() => findRepositoryRoot(path.parse(here.root).root)).toThrow(
    'No package.json with workspaces',
  );
});
