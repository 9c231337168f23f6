import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ConfigReader } from '@backstage/config';
import { parse } from 'yaml';
import { assertFitForProduction } from './productionGuard';

const development = {
  backend: {
    baseUrl: 'http://localhost:7007',
    auth: {
      externalAccess: [
        {
          type: 'static',
          options: { token: 'Xw3nVq9LkP0zT7rB5yH2mJ6dF8gC4sA1', subject: 'ci' },
        },
        {
          type: 'static',
          options: { token: 'dev-service-token', subject: 'x' },
        },
      ],
    },
    database: { connection: { password: '${POSTGRES_PASSWORD}' } },
  },
  app: { signIn: { method: 'development' } },
  auth: { providers: { dev: {} } },
  // Read by another process, which checks it itself.
  spaceMetrics: {
    listen: { port: 8000 },
    auth: { apiKeys: [{ key: 'dev-space-key' }] },
  },
  deliveryLake: {
    webhooks: {
      gitea: {
        secrets: ['pL4kQ8wZ1xN6vB3mT9yR5hJ7dG2fS0cA', 'dev-webhook-secret'],
      },
    },
  },
};

describe('assertFitForProduction', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(path.join(os.tmpdir(), 'portal-kit-'));
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  /** @param env - environment of the process that has the configuration. */
  function assertFit(data: object, env: NodeJS.ProcessEnv): Promise<void> {
    const file = path.join(directory, 'app-config.yaml');
    writeFileSync(file, JSON.stringify(data));
    return assertFitForProduction(
      new ConfigReader(JSON.parse(JSON.stringify(data))),
      {
        argv: ['--config', file],
        env,
      },
    );
  }

  it('reports all development settings and unset variables at once', async () => {
    await expect(
      assertFit(development, { NODE_ENV: 'production' }),
    ).rejects.toThrow(
      `The configuration is not valid for production:
  backend.database.connection.password needs POSTGRES_PASSWORD, which is not set
  backend.auth.externalAccess[1].options.token holds a development credential (dev-service-token), refused in production
  deliveryLake.webhooks.gitea.secrets[1] holds a development credential (dev-webhook-secret), refused in production
  backend.baseUrl holds an address of development (http://localhost:7007)
  auth.providers.dev is development sign-in
  app.signIn.method is development sign-in`,
    );
  });

  it('allows all of them in development', async () => {
    await expect(
      assertFit(development, { NODE_ENV: 'development' }),
    ).resolves.toBeUndefined();
  });

  it.each(['prod', 'Production', 'staging', '', undefined])(
    'does not listen beyond this machine while NODE_ENV is %j',
    async nodeEnv => {
      const env = { NODE_ENV: nodeEnv };
      const listen = (host: object | string | undefined) =>
        assertFit({ backend: { ...development.backend, listen: host } }, env);
      await expect(listen({ host: '0.0.0.0', port: 7007 })).rejects.toThrow(
        'backend.listen.host listens beyond this machine (0.0.0.0): NODE_ENV must be production or development',
      );
      await expect(listen({ port: 7007 })).rejects.toThrow('everywhere');
      await expect(listen(':7007')).rejects.toThrow('backend.listen listens');
      await expect(listen(undefined)).rejects.toThrow('everywhere');
      await listen({ host: '127.0.0.1' });
      await listen({ host: '::1' });
      await listen('localhost:7007');
    },
  );

  it('accepts a production configuration', async () => {
    const { connection } = development.backend.database;
    const production = {
      backend: { baseUrl: 'https://portal.example', database: { connection } },
    };
    const env = { NODE_ENV: 'production', POSTGRES_PASSWORD: 'a-real-one' };
    await expect(assertFit(production, env)).resolves.toBeUndefined();
  });
});

it('recognizes the section of every service', () => {
  const root = path.resolve(__dirname, '../../../..');
  const config: Record<string, { listen?: unknown }> = parse(
    readFileSync(path.join(root, 'app-config.yaml'), 'utf8'),
  );
  const sections = Object.keys(config).filter(key => config[key]?.listen);
  const services = readdirSync(path.join(root, 'services'), {
    withFileTypes: true,
  })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => name.replace(/-(.)/g, (_, c) => c.toUpperCase()));
  expect(sections.sort()).toEqual(['backend', ...services].sort());
});
