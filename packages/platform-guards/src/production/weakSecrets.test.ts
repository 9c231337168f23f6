import { createHash, randomBytes } from 'node:crypto';
import { weakSecrets } from './secrets.ts';

const random = () => randomBytes(24).toString('base64url');
const STRONG = random();

const faultsOf = (shop: object) => Object.fromEntries(weakSecrets({ shop }));

it.each([
  'a',
  'x'.repeat(31),
  'x'.repeat(64),
  `*:production.${'Xw3nVq9LkP0zT7rB5yH2mJ6'}`,
  'changeme-Xw3nVq9LkP0zT7rB5yH2mJ6',
  '0123456789abcdef0123456789abcdef',
  'abcdefghijklmnopqrstuvwxyz0123456789',
  `my-password-is-${STRONG}`,
])('rejects %j, which can be guessed', secret => {
  const faults = faultsOf({ auth: { apiKeys: [{ key: secret }] } });
  expect(Object.keys(faults)).toEqual(['shop.auth.apiKeys[0].key']);
  expect(Object.values(faults)).not.toContain(secret);
});

it.each([
  STRONG,
  randomBytes(16).toString('hex'),
  `*:production.${random()}`,
  `phc_${random()}`,
])('takes %j', key => {
  expect(faultsOf({ auth: { apiKeys: [{ key }] } })).toEqual({});
});

it('rejects a secret used twice, even as a hash', () => {
  const other = random();
  const faults = faultsOf({
    auth: {
      apiKeys: [
        { key: STRONG },
        { sha256: createHash('sha256').update(STRONG).digest('hex') },
        { key: other },
      ],
    },
    webhooks: [{ secret: other }],
    // Authenticates the service to the portal.
    portalToken: STRONG,
  });
  expect(faults).toEqual({
    'shop.auth.apiKeys[0].key':
      'is the same secret as shop.auth.apiKeys[1].sha256',
    'shop.auth.apiKeys[1].sha256':
      'is the same secret as shop.auth.apiKeys[0].key',
    'shop.auth.apiKeys[2].key': 'is the same secret as shop.webhooks[0].secret',
    'shop.webhooks[0].secret': 'is the same secret as shop.auth.apiKeys[2].key',
  });
});

it.each([
  {
    analytics: {
      projects: [{ destinations: [{ kind: 'webhook', secret: 'short' }] }],
    },
  },
  { analytics: { events: { backups: { tokens: [{ key: 'short' }] } } } },
])('checks the secrets of analytics in %j', configuration => {
  expect([...weakSecrets(configuration)]).toEqual([
    [expect.any(String), 'is a secret of fewer than 32 characters'],
  ]);
});

it('ignores secrets issued by other systems', () => {
  expect([
    ...weakSecrets({
      integrations: { gitlab: [{ token: 'glpat-short' }] },
      auth: { providers: { oidc: { production: { clientSecret: 'short' } } } },
    }),
  ]).toEqual([]);
});
