import { shopService } from '../__fixtures__/shopService.ts';
import type { Service } from '../index.ts';
import { startTestService } from '../testing/index.ts';

let service: Service | undefined;

afterEach(async () => {
  await service?.stop();
  service = undefined;
});

/** Starts a service behind proxies and returns the address it sees for a caller. */
async function startBehind(trustProxy: unknown) {
  const started = await startTestService(
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
  service = started;
  return async (peer: string, forwarded: string): Promise<string> => {
    const response = await started.app.inject({
      url: '/api/whoami',
      remoteAddress: peer,
      headers: { 'x-forwarded-for': forwarded },
    });
    return response.json().ip;
  };
}

it('trusts no headers unless proxies are configured', async () => {
  const addressOf = await startBehind([]);
  expect(await addressOf('10.0.0.1', '192.0.2.7')).toBe('10.0.0.1');
});

it('uses the last address that is not a proxy, whatever a caller put before it', async () => {
  const addressOf = await startBehind(['10.0.0.0/8']);
  expect(await addressOf('10.0.0.1', '1.2.3.4, 203.0.113.9')).toBe(
    '203.0.113.9',
  );
  expect(await addressOf('10.0.0.1', '1.2.3.4, 203.0.113.9, 10.0.0.2')).toBe(
    '203.0.113.9',
  );
  expect(await addressOf('203.0.113.9', '1.2.3.4')).toBe('203.0.113.9');
});

it('does not start with a setting that would trust everyone', async () => {
  await expect(startBehind(true)).rejects.toThrow(
    'shop.listen.trustProxy must list the addresses or ranges of your reverse proxies',
  );
});
