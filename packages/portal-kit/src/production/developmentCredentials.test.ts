import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigReader } from '@backstage/config';
import { parse } from 'yaml';
import { assertNoDevelopmentCredentials } from './developmentCredentials';

const development = new ConfigReader({
  backend: {
    auth: {
      externalAccess: [
        { type: 'static', options: { token: 'a-real-one', subject: 'ci' } },
        {
          type: 'static',
          options: { token: 'dev-service-token', subject: 'x' },
        },
      ],
    },
  },
  app: { signIn: { method: 'development' } },
  auth: { providers: { dev: {} } },
  proxy: {
    endpoints: {
      '/flags': { headers: { Authorization: '*:*.dev-admin-token' } },
    },
  },
  // Another process reads this, and refuses it by itself.
  spaceMetrics: { auth: { apiKeys: [{ key: 'dev-space-key' }] } },
  deliveryLake: {
    webhooks: { gitea: { secrets: ['a-real-one', 'dev-webhook-secret'] } },
  },
});

describe('assertNoDevelopmentCredentials', () => {
  it('names every development credential in production', () => {
    expect(() =>
      assertNoDevelopmentCredentials(development, 'production'),
    ).toThrow(
      [
        'Development credentials are in use and NODE_ENV is production. Replace: backend.auth.externalAccess[1].options.token (dev-service-token)',
        'deliveryLake.webhooks.gitea.secrets[1] (dev-webhook-secret)',
        'proxy.endpoints./flags.headers.Authorization (dev-admin-token)',
        'auth.providers.dev (development sign-in)',
        'app.signIn.method (development sign-in)',
      ].join(', '),
    );
  });

  it('knows every token of the development configuration', () => {
    const file = path.resolve(__dirname, '../../../../app-config.yaml');
    const { backend } = parse(readFileSync(file, 'utf8'));
    const access: object[] = backend.auth.externalAccess;
    expect(access.length).toBeGreaterThan(4);
    for (const each of access) {
      const config = new ConfigReader({
        backend: { auth: { externalAccess: [each] } },
      });
      expect(() =>
        assertNoDevelopmentCredentials(config, 'production'),
      ).toThrow('backend.auth.externalAccess[0].options.token (dev-');
    }
  });

  it('lets them be in development', () => {
    expect(() =>
      assertNoDevelopmentCredentials(development, 'development'),
    ).not.toThrow();
  });

  it('lets a production configuration start', () => {
    const production = new ConfigReader({
      backend: {
        auth: {
          externalAccess: [
            { type: 'static', options: { token: 'a-real-one', subject: 'ci' } },
          ],
        },
      },
    });
    expect(() =>
      assertNoDevelopmentCredentials(production, 'production'),
    ).not.toThrow();
  });
});
