import {
  type Context,
  InMemStorageProvider,
  Unleash,
  UnleashEvents,
} from 'unleash-client';
import { CLIENT_TOKEN } from './startFeatureFlags.ts';

/** A thousand contexts that differ in the fields used by rules. */
const contexts: Context[] = Array.from({ length: 1_000 }, (_, index) => ({
  userId: `user-${index}`,
  sessionId: `session-${index % 97}`,
  remoteAddress: `10.0.${index % 7}.${index % 251}`,
  currentTime: new Date(Date.UTC(2026, index % 12, 1)),
  properties: {
    region: ['eu', 'us', 'asia'][index % 3],
    plan: index % 5 === 0 ? 'paid' : 'free',
    version: `${index % 4}.${index % 10}.0`,
    age: String(index % 80),
  },
}));

/**
 * Evaluates every flag with the unmodified SDK. Returns one letter per context, by flag name:
 * `-` for off, `+` for on, or the first letter of the variant.
 */
export async function sdkAnswers(
  url: string,
  names: readonly string[],
  token = CLIENT_TOKEN,
): Promise<Record<string, string>> {
  const sdk = new Unleash({
    url: `${url}/api`,
    appName: 'transfer',
    refreshInterval: 60_000,
    disableMetrics: true,
    storageProvider: new InMemStorageProvider(),
    customHeaders: { Authorization: token },
  });
  await new Promise((resolve, reject) => {
    sdk.once(UnleashEvents.Synchronized, resolve);
    sdk.once(UnleashEvents.Error, reject);
  });
  try {
    return Object.fromEntries(
      names.map(name => [
        name,
        contexts
          .map(context => {
            const variant = sdk.getVariant(name, context);
            const isOn = sdk.isEnabled(name, context) ? '+' : '-';
            return variant.enabled ? variant.name[0] : isOn;
          })
          .join(''),
      ]),
    );
  } finally {
    sdk.destroy();
  }
}

/** Two hundred different flags, as bodies of requests; the ids of segments are 1 to 3. */
export function manyFlags(): { name: string; [field: string]: unknown }[] {
  return Array.from({ length: 200 }, (_, index) => {
    const name = `flag-${index}`;
    const rollout = {
      name: 'flexibleRollout',
      parameters: {
        rollout: String((index * 7) % 101),
        stickiness: index % 2 ? 'userId' : 'sessionId',
        groupId: name,
      },
    };
    const constraint = [
      { contextName: 'region', operator: 'IN', values: ['eu', 'us'] },
      { contextName: 'plan', operator: 'NOT_IN', values: ['paid'] },
      { contextName: 'age', operator: 'NUM_GTE', value: String(index % 80) },
      { contextName: 'version', operator: 'SEMVER_GT', value: '1.5.0' },
      {
        contextName: 'currentTime',
        operator: 'DATE_AFTER',
        value: '2026-06-01T00:00:00.000Z',
      },
      {
        contextName: 'userId',
        operator: 'STR_ENDS_WITH',
        values: ['7'],
        caseInsensitive: true,
        inverted: index % 4 === 0,
      },
    ][index % 6];
    return {
      name,
      type: index % 3 ? 'release' : 'experiment',
      enabled: index % 9 !== 0,
      strategies: [
        ...(index % 5 === 0 ? [{ name: 'default', disabled: true }] : []),
        {
          ...rollout,
          constraints: index % 3 ? [constraint] : [],
          ...(index % 4 === 1 && { segments: [(index % 3) + 1] }),
          ...(index % 7 === 3 && { variants: variants(name) }),
        },
        ...(index % 8 === 2
          ? [{ name: 'userWithId', parameters: { userIds: 'user-1,user-2' } }]
          : []),
        ...(index % 11 === 4
          ? [{ name: 'remoteAddress', parameters: { IPs: '10.0.1.1' } }]
          : []),
      ],
      ...(index % 10 === 6 && { variants: variants(name) }),
      ...(index % 12 === 7 && {
        dependencies: [{ feature: 'flag-1', enabled: index % 24 === 7 }],
      }),
      tags: index % 6 ? [] : [{ type: 'simple', value: `tag-${index % 4}` }],
    };
  });
}

/** Three segments that {@link manyFlags} use. */
export const segments = [
  {
    name: 'europe',
    constraints: [{ contextName: 'region', operator: 'IN', values: ['eu'] }],
  },
  {
    name: 'grown up',
    constraints: [{ contextName: 'age', operator: 'NUM_GT', value: '17' }],
  },
  {
    name: 'payers',
    constraints: [
      { contextName: 'plan', operator: 'STR_STARTS_WITH', values: ['pa'] },
    ],
  },
];

function variants(name: string) {
  return [
    {
      name: 'red',
      weight: 400,
      weightType: 'variable',
      stickiness: 'userId',
      payload: { type: 'string', value: name },
    },
    {
      name: 'blue',
      weight: 600,
      weightType: 'variable',
      stickiness: 'userId',
      payload: { type: 'json', value: '{"a":1}' },
    },
  ];
}

/** Creates {@link segments} and {@link manyFlags} with the admin API. */
export async function createMany(
  admin: (
    method: 'POST',
    path: string,
    body: object,
  ) => Promise<{ status: number; body: unknown }>,
): Promise<void> {
  for (const segment of segments) {
    await admin('POST', '/segments', segment);
  }
  for (const flag of manyFlags()) {
    const { status, body } = await admin('POST', '/features', flag);
    expect([status, body]).toEqual([201, expect.anything()]);
  }
}
