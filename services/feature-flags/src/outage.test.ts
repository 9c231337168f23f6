import { type Database, DatabaseUnavailableError } from '@slipway/service-kit';
import { openTestDatabase } from '@slipway/service-kit/testing';
import {
  callsTo,
  CLIENT_TOKEN,
  FRONTEND_TOKEN,
  startFeatureFlags,
} from './__testUtils__/startFeatureFlags.ts';
import { featureFlags } from './service.ts';

it('keeps serving flags during an outage of its database, refuses what it cannot store, and recovers', async () => {
  const { database: real, dispose } = await openTestDatabase(
    'sqlite',
    featureFlags,
  );
  let isGone = false;
  const whileThere = <T>(use: () => T): T => {
    if (isGone) {
      throw new DatabaseUnavailableError(new Error('gone'));
    }
    return use();
  };
  const database: Database = {
    client: real.client,
    get knex() {
      return whileThere(() => real.knex);
    },
    transaction: async work => whileThere(() => real.transaction(work)),
    isAlive: async () => !isGone,
    close: () => real.close(),
  };
  const service = await startFeatureFlags({ database });
  const calls = callsTo(service);
  await calls.create('checkout');

  isGone = true;
  expect(await calls.features()).toHaveLength(1);
  const refused = await calls.report('checkout', { yes: 1, no: 0 });
  expect(refused.status).toBe(503);
  expect(refused.body).toMatchObject({ name: 'UnavailableError' });
  // SDKs stop permanently after a 401, so a token that cannot be looked up must not get one.
  const unknown = await calls.send('GET', '/api/client/features', {
    token: '*:development.perhaps-another-replica-knows',
  });
  expect(unknown.status).toBe(503);
  expect((await calls.send('GET', '/ready')).status).toBe(503);
  // An SDK that has newer flags from another replica keeps them instead of going back.
  const ahead = async (path: string, token: string, etag: string) =>
    (
      await calls.send('GET', path, {
        token,
        headers: { 'if-none-match': etag },
      })
    ).status;
  const digest = 'a'.repeat(12);
  for (const [path, token, tag] of [
    ['/api/client/features', CLIENT_TOKEN, `W/"${digest}:9"`],
    ['/api/client/delta', CLIENT_TOKEN, '"9"'],
    ['/api/frontend', FRONTEND_TOKEN, `W/"${digest}${digest}:9"`],
  ]) {
    expect([path, await ahead(path, token, tag)]).toEqual([path, 503]);
  }

  isGone = false;
  const { status } = await calls.report('checkout', { yes: 1, no: 0 });
  expect(status).toBe(202);
  await service.stop();
  await dispose();
});
