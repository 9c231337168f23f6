import type { Case, CaseGroup } from '../Case.ts';

const FLAGS = '/api/admin/projects/default/features';

/** Creates flags for SDKs, using only features that both servers accept. */
const setUp: Case[] = [
  {
    what: 'set up: other flags off',
    send: `POST ${FLAGS}/bare/environments/development/off`,
  },
  {
    what: 'set up: a parent',
    send: `POST ${FLAGS}`,
    body: { name: 'sdk-parent' },
  },
  {
    what: 'set up: its strategy',
    send: `POST ${FLAGS}/sdk-parent/environments/development/strategies`,
    body: {
      name: 'flexibleRollout',
      parameters: {
        rollout: '100',
        stickiness: 'default',
        groupId: 'sdk-parent',
      },
    },
  },
  {
    what: 'set up: parent on',
    send: `POST ${FLAGS}/sdk-parent/environments/development/on`,
  },
  {
    what: 'set up: a child',
    send: `POST ${FLAGS}`,
    body: { name: 'sdk-child', impressionData: true },
  },
  {
    what: 'set up: its dependency',
    send: `POST ${FLAGS}/sdk-child/dependencies`,
    body: { feature: 'sdk-parent' },
  },
  {
    what: 'set up: its strategy with everything',
    send: `POST ${FLAGS}/sdk-child/environments/development/strategies`,
    body: {
      name: 'flexibleRollout',
      title: 'Half of Europe',
      parameters: {
        rollout: '100',
        stickiness: 'userId',
        groupId: 'sdk-child',
      },
      constraints: [
        {
          contextName: 'userId',
          operator: 'STR_ENDS_WITH',
          values: ['1', '2'],
          caseInsensitive: true,
          inverted: true,
        },
      ],
      segments: ['{segment}'],
      variants: [
        {
          name: 'amber',
          weight: 500,
          weightType: 'variable',
          stickiness: 'userId',
          payload: { type: 'json', value: '{"a":1}' },
        },
        {
          name: 'blue',
          weight: 500,
          weightType: 'variable',
          stickiness: 'userId',
        },
      ],
    },
  },
  {
    what: 'set up: its disabled strategy',
    send: `POST ${FLAGS}/sdk-child/environments/development/strategies`,
    body: { name: 'default', disabled: true },
  },
  {
    what: 'set up: child on',
    send: `POST ${FLAGS}/sdk-child/environments/development/on`,
  },
  {
    what: 'set up: its tag',
    send: 'POST /api/admin/features/sdk-child/tags',
    body: { type: 'simple', value: 'sdk' },
  },
  {
    what: 'set up: a flag that is off',
    send: `POST ${FLAGS}`,
    body: { name: 'sdk-off' },
  },
];

const get = (
  what: string,
  query = '',
  headers: Record<string, string> = {},
): Case => ({
  what: `client: ${what}`,
  send: `GET /api/client/features${query}`,
  as: 'client',
  headers,
});

const SPEC = { 'unleash-client-spec': '5.2.0' };

const reads: Case[] = [
  get('features of the prefix', '?namePrefix=sdk-', SPEC),
  get('features, segments inlined', '?namePrefix=sdk-'),
  get('features for 4.1.9', '?namePrefix=sdk-', {
    'unleash-client-spec': '4.1.9',
  }),
  get('features for 4.2.0', '?namePrefix=sdk-', {
    'unleash-client-spec': '4.2.0',
  }),
  get('features for a spec that is none', '?namePrefix=sdk-', {
    'unleash-client-spec': 'garbage',
  }),
  get('features by tag', '?tag=simple:sdk', SPEC),
  get('features by an unknown tag', '?tag=simple:none', SPEC),
  get('features by a tag without type', '?tag=sdk', SPEC),
  get('features of a project', '?project=default&namePrefix=sdk-', SPEC),
  get('features of an unknown project', '?project=none', SPEC),
  get('features with an unknown parameter', '?namePrefix=sdk-&x=1', SPEC),
  get('features with an empty prefix and tag', '?namePrefix=sdk-&tag=', SPEC),
  get('features again', '?namePrefix=sdk-', SPEC),
  get('features unchanged', '?namePrefix=sdk-', {
    ...SPEC,
    'if-none-match': '{etag}',
  }),
  get('features unchanged, one of a list', '?namePrefix=sdk-', {
    ...SPEC,
    'if-none-match': '"x", {etag}',
  }),
  get('features unchanged, any', '?namePrefix=sdk-', {
    ...SPEC,
    'if-none-match': '*',
  }),
  get('features changed', '?namePrefix=sdk-', {
    ...SPEC,
    'if-none-match': '"old"',
  }),
  {
    what: 'client: features, HEAD',
    send: 'HEAD /api/client/features',
    as: 'client',
  },
  {
    what: 'client: features of production',
    send: 'GET /api/client/features?namePrefix=sdk-',
    as: 'production',
    headers: SPEC,
  },
  {
    what: 'client: one feature',
    send: 'GET /api/client/features/sdk-child',
    as: 'client',
    headers: SPEC,
  },
  {
    what: 'client: one feature, segments inlined',
    send: 'GET /api/client/features/sdk-child',
    as: 'client',
  },
  {
    what: 'client: one unknown feature',
    send: 'GET /api/client/features/none',
    as: 'client',
  },
  {
    what: 'client: without token',
    send: 'GET /api/client/features',
    as: 'nobody',
  },
  {
    what: 'client: with an unknown token',
    send: 'GET /api/client/features',
    as: 'nobody',
    headers: { authorization: '*:development.unknown' },
  },
  {
    what: 'client: with a token that is none',
    send: 'GET /api/client/features',
    as: 'nobody',
    headers: { authorization: 'garbage' },
  },
  {
    what: 'client: with Bearer',
    send: 'GET /api/client/features?namePrefix=sdk-',
    as: 'nobody',
    headers: {
      ...SPEC,
      authorization:
        'Bearer *:development.bench-client-Ck7vXr2LmZ9pTn4WcY6hBj3F',
    },
  },
  {
    what: 'client: with an admin token',
    send: 'GET /api/client/features',
    as: 'admin',
  },
  {
    what: 'client: with a frontend token',
    send: 'GET /api/client/features',
    as: 'frontend',
  },
  { what: 'client: delta', send: 'GET /api/client/delta', as: 'client' },
  { what: 'client: root', send: 'GET /api/client', as: 'client' },
  { what: 'client: unknown path', send: 'GET /api/client/x', as: 'client' },
  {
    what: 'edge: validate',
    send: 'POST /edge/validate',
    as: 'nobody',
    body: {
      tokens: [
        '*:development.bench-client-Ck7vXr2LmZ9pTn4WcY6hBj3F',
        'unknown',
      ],
    },
  },
  {
    what: 'edge: validate nothing',
    send: 'POST /edge/validate',
    as: 'nobody',
    body: {},
  },
];

/** Requests of backend SDKs. */
export const clientGroups: CaseGroup[] = [
  { name: 'set up', cases: setUp },
  // The Unleash server polls for changes once per second.
  { name: 'client', cases: reads, waitMs: 3_000 },
];
