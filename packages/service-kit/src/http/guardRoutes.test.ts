import { shopService } from '../__fixtures__/shopService.ts';
import {
  type Access,
  type Authenticator,
  type Service,
  UnauthenticatedError,
} from '../index.ts';
import { startTestService } from '../testing/index.ts';

/** Credentials in memory, and some in a fake database. */
class Credentials implements Authenticator {
  readonly place = 'header:x-token';
  readonly scheme = {
    name: 'token',
    definition: { type: 'apiKey', in: 'header', name: 'X-Token' },
  } as const;
  lookedUp: unknown[] = [];

  async authenticate(
    ...[request, addresses]: Parameters<Authenticator['authenticate']>
  ) {
    const token = request.headers['x-token'];
    if (token !== 'in-memory') {
      await addresses.assertLeft(request);
      this.lookedUp.push(token);
      if (token !== 'in-database') {
        throw new UnauthenticatedError('The token is not valid');
      }
    }
    return {
      caller: { kind: 'apiKey', id: token, scopes: [] } as const,
      budget: `token:${token}`,
    };
  }
}

let credentials: Credentials;
let service: Service;

async function start(rateLimit: object): Promise<void> {
  credentials = new Credentials();
  const access: Access = {
    ways: [{ authenticator: credentials }],
    optional: false,
  };
  service = await startTestService(
    shopService({
      extend({ app, auth }) {
        app.get('/api/guarded', { config: { access } }, () => 'open');
        app.post(
          '/api/signed',
          { config: { access: auth.anyone, limit: 'refusals' } },
          async ({ headers }) => {
            if (headers['x-signature'] !== 'good') {
              throw new UnauthenticatedError('The signature is not valid');
            }
            return 'taken';
          },
        );
      },
    }),
    { config: { rateLimit } },
  );
}

afterEach(() => service.stop());

const ask = async (token: string, remoteAddress = '192.0.2.7') => {
  const { statusCode } = await service.app.inject({
    url: '/api/guarded',
    headers: { 'x-token': token },
    remoteAddress,
  });
  return statusCode;
};

describe('guesses', () => {
  it('are not looked up once the address is over its limit', async () => {
    await start({ perMinute: 3 });
    const statuses = [];
    for (let guess = 0; guess < 5; guess++) {
      statuses.push(await ask(`guess-${guess}`));
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect(credentials.lookedUp).toHaveLength(3);
    expect(await ask('in-memory')).toBe(200);
    expect(await ask('in-database')).toBe(429);
    expect(await ask('in-database', '192.0.2.8')).toBe(200);
  });

  it('are counted by IPv6 network', async () => {
    await start({ perMinute: 2 });
    const statuses = [];
    for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8::3']) {
      statuses.push(await ask('guess', address));
    }
    expect(statuses).toEqual([401, 401, 429]);
    expect(await ask('guess', '2001:db8:0:1::1')).toBe(401);
  });

  it('are limited even if nothing else is', async () => {
    await start({ enabled: false, anonymousPerMinute: 2 });
    const statuses = [];
    for (let guess = 0; guess < 4; guess++) {
      statuses.push(await ask(`guess-${guess}`));
    }
    expect(statuses).toEqual([401, 401, 429, 429]);
    for (let request = 0; request < 5; request++) {
      expect(await ask('in-memory')).toBe(200);
      expect((await service.app.inject('/api/orders')).statusCode).toBe(200);
    }
  });

  it('are not limited without a limit', async () => {
    await start({ enabled: false, perMinute: 1 });
    for (let guess = 0; guess < 3; guess++) {
      expect(await ask(`guess-${guess}`)).toBe(401);
    }
  });
});

describe('a route that counts its refusals', () => {
  const send = async (signature: string) => {
    const { statusCode, headers } = await service.app.inject({
      method: 'POST',
      url: '/api/signed',
      headers: { 'x-signature': signature },
    });
    return [statusCode, headers['x-ratelimit-remaining']];
  };

  it('counts requests without a valid signature, and not the others', async () => {
    await start({ perMinute: 2 });
    expect(await send('good')).toEqual([200, undefined]);
    expect(await send('bad')).toEqual([401, '1']);
    expect(await send('bad')).toEqual([401, '0']);
    expect(await send('bad')).toEqual([429, '0']);
    for (let delivery = 0; delivery < 5; delivery++) {
      expect(await send('good')).toEqual([200, undefined]);
    }
    expect(await ask('guess', '127.0.0.1')).toBe(429);
  });

  it('has no limit if none is configured', async () => {
    await start({ enabled: false, perMinute: 1 });
    await send('bad');
    expect(await send('bad')).toEqual([401, undefined]);
  });
});
