import { testDatabaseClients } from '@slipway/service-kit/testing';
import { portalSuite } from '../__testUtils__/portalSuite.ts';

describe.each(testDatabaseClients())('tokens over time on %s', client => {
  const suite = portalSuite(client);
  const read = async (token: string) =>
    (await suite.calls.send('GET', '/api/client/features', { token })).status;

  it('get a new secret, while the old one keeps working for some time', async () => {
    const made = await suite.ada('POST', '/api-tokens', {
      tokenName: 'shop',
      type: 'client',
      projects: ['default'],
      expiresAt: suite.timeIn(3 * 24 * 60),
    });
    const rotated = await suite.ada(
      'POST',
      `/api-tokens/${made.body.id}/rotate`,
      { overlapMinutes: 20 },
    );
    expect(rotated.status).toBe(201);
    expect(rotated.body).toMatchObject({
      tokenName: 'shop',
      type: 'client',
      projects: ['default'],
      environment: 'development',
    });
    expect(await read(made.body.secret)).toBe(200);
    expect(await read(rotated.body.secret)).toBe(200);
    suite.pass(21);
    expect(await read(made.body.secret)).toBe(401);
    expect(await read(rotated.body.secret)).toBe(200);
    // An expired token cannot be rotated.
    const late = await suite.ada(
      'POST',
      `/api-tokens/${made.body.id}/rotate`,
      {},
    );
    expect(late.status).toBe(404);
    const configured = '/api-tokens/configured-0/rotate';
    expect((await suite.ada('POST', configured, {})).status).toBe(404);
    expect((await suite.bob('POST', configured, {})).status).toBe(403);
  });

  it('are rotated once, however often that is asked for', async () => {
    const made = await suite.ada('POST', '/api-tokens', {
      tokenName: 'shop',
      type: 'client',
    });
    const rotate = () =>
      suite.ada('POST', `/api-tokens/${made.body.id}/rotate`, {
        overlapMinutes: 20,
      });
    const answers = await Promise.all([rotate(), rotate()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await rotate()).status).toBe(409);
    const { body } = await suite.ada('GET', '/api-tokens');
    const named = body.tokens.filter(
      ({ tokenName }: { tokenName: string }) => tokenName === 'shop',
    );
    expect(named).toHaveLength(2);
  });

  it('are listed with their last use, those of the configuration too', async () => {
    const lastUse = async (name: string) => {
      const { body } = await suite.ada('GET', '/api-tokens');
      const { lastUsedAt } = body.tokens.find(
        ({ tokenName }: { tokenName: string }) => tokenName === name,
      );
      return lastUsedAt as string | undefined;
    };
    expect(await lastUse('test-client')).toBeUndefined();
    await read('*:development.test-client-token');
    await suite.restart();
    const first = await lastUse('test-client');
    expect(Date.parse(first ?? '')).toBeGreaterThan(Date.now() - 60_000);
    suite.pass(5);
    await read('*:development.test-client-token');
    await suite.restart();
    expect(Date.parse((await lastUse('test-client')) ?? '')).toBeGreaterThan(
      Date.parse(first ?? '') + 4 * 60_000,
    );
  });

  it('are listed with their last use', async () => {
    const made = await suite.ada('POST', '/api-tokens', {
      tokenName: 'shop',
      type: 'client',
    });
    const find = async () => {
      const { body } = await suite.ada('GET', '/api-tokens');
      return body.tokens.find(
        ({ id }: { id: string }) => id === made.body.id,
      ) as { lastUsedAt?: string };
    };
    expect((await find()).lastUsedAt).toBeUndefined();
    await read(made.body.secret);
    await suite.restart();
    expect(Date.parse((await find()).lastUsedAt ?? '')).toBeGreaterThan(
      Date.now() - 60_000,
    );
  });
});
