import { fileURLToPath } from 'node:url';
import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import {
  callsTo,
  startFeatureFlags,
} from './__testUtils__/startFeatureFlags.ts';
import { featureFlags } from './service.ts';

const GRACE = 'user:default/grace';
const migrations = {
  directory: fileURLToPath(new URL('../migrations/', import.meta.url)),
  loadExtensions: ['.ts'],
};

it.each([GRACE, ' User:default/grace', 'token:ci', '\u200buser:grace'])(
  'a token cannot be named %j, which is how others sign',
  async tokenName => {
    const service = await startFeatureFlags();
    const { admin } = callsTo(service);
    const response = await admin('POST', '/api-tokens', {
      tokenName,
      type: 'admin',
    });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      name: 'BadDataError',
      message: expect.stringContaining('tokenName'),
    });
    await service.stop();
  },
);

it('refuses a configured token with the name of a user', async () => {
  await expect(
    startFeatureFlags({
      config: { tokens: [{ name: GRACE, type: 'admin', token: '*:*.secret' }] },
    }),
  ).rejects.toThrow('featureFlags.tokens[0].name');
});

describe.each(testDatabaseClients())(
  'a token named as a user, on %s',
  client => {
    it('signs with the name of the token, also earlier changes', async () => {
      const { database, dispose } = await openTestDatabase(
        client,
        featureFlags,
      );
      const { knex } = database;
      const first = await startFeatureFlags({ database });
      const { body } = await callsTo(first).admin('POST', '/api-tokens', {
        tokenName: 'ci',
        type: 'admin',
      });
      await first.stop();

      // Back to the schema in which such a token and its history used to be stored.
      for (const name of [
        '20261122210000_token_expiry.ts',
        '20261122150000_actors.ts',
      ]) {
        await knex.migrate.down({ ...migrations, name });
      }
      await knex('api_tokens').update({ name: GRACE });
      await knex('history').insert(
        [GRACE, 'user:default/ada', 'configuration', 'ci'].map(author => ({
          type: 'feature-created',
          subject: 'checkout',
          environment: 'development',
          created_by: author,
          created_at: 0,
        })),
      );

      const service = await startFeatureFlags({ database });
      const { admin, send } = callsTo(service);
      const token = body.secret;
      await send('POST', '/api/admin/features', {
        token,
        payload: { name: 'search' },
      });
      const { body: history } = await admin('GET', '/events');
      expect(
        history.events.map((event: { createdBy: string }) => event.createdBy),
      ).toEqual([
        `token:${GRACE}`,
        'token:ci',
        'configuration',
        'user:default/ada',
        `token:${GRACE}`,
        'token:test-admin',
      ]);
      const { body: list } = await admin('GET', '/api-tokens');
      expect(list.tokens[0].createdBy).toBe('token:test-admin');
      const who = await send('GET', '/api/admin/user', { token });
      expect(who.body).toMatchObject({
        name: `token:${GRACE}`,
        mayChange: true,
      });
      await service.stop();
      await dispose();
    });
  },
);
