import { type TestContext } from 'vitest';
import { shopService } from '../__fixtures__/shopService.ts';
import { startTestService } from '../testing/index.ts';

/** Starts a service behind the proxies, and asks it who calls. */
async function startBehind(trustProxy: unknown, context: TestContext) {
  const service = await startTestService(
    shopService({
      extend({ app, auth }) {
        app.get(
          '/api/whoami',
          { config: { access: auth.anyone } },
          request => ({
            ip: request.ip,
          }),
        );
      },
    }),
    { config: { listen: { trustProxy } } },
  );
  context.onTestFinished(() => service.stop());
  return async (peer: string, forwarded: string): Promise<string> => {
    const response = await service.app.inject({
      url: '/api/whoami',
      remoteAddress: peer,
      headers: { 'x-forwarded-for': forwarded },
    });
    return response.json().ip;
  };
}

it('believes nobody unless proxies are listed', async context => {
  const addressOf = await startBehind([], context);
  expect(await addressOf('10.0.0.1', '192.0.2.7')).toBe('10.0.0.1');
});

it('takes the last address that is no proxy, whatever a caller put before it', async context => {
  const addressOf = await startBehind(['10.0.0.0/8'], context);
  expect(await addressOf('10.0.0.1', '1.2.3.4, 203.0.113.9')).toBe(
    '203.0.113.9',
  );
  expect(await addressOf('10.0.0.1', '1.2.3.4, 203.0.113.9, 10.0.0.2')).toBe(
    '203.0.113.9',
  );
  expect(await addressOf('203.0.113.9', '1.2.3.4')).toBe('203.0.113.9');
});

it('does not start with what would believe everybody', async context => {
  await expect(startBehind(true, context)).rejects.toThrow(
    'shop.listen.trustProxy must list the addresses or ranges of your reverse proxies',
  );
});
