const FLAGS = '/api/admin/projects/default/features';
const COUNT = 200;
/** Concurrent requests to the Unleash server. */
const PARALLEL = 8;

/** Sends a request to the admin API. @throws Error if it is rejected. */
export type Admin = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<unknown>;

export const ENVIRONMENTS = ['development', 'production'] as const;

/** The segments that flags use; the export of the Unleash server omits their constraints. */
export const SEGMENTS = [
  {
    name: 'europe',
    constraints: [{ contextName: 'region', operator: 'IN', values: ['eu'] }],
  },
  {
    name: 'grown-ups',
    constraints: [{ contextName: 'age', operator: 'NUM_GTE', value: '18' }],
  },
  {
    name: 'testers',
    constraints: [
      { contextName: 'userId', operator: 'STR_ENDS_WITH', values: ['7', '3'] },
    ],
  },
];

const CONTEXT_FIELDS = [
  { name: 'region', stickiness: true, legalValues: ['eu', 'us', 'asia'] },
  { name: 'plan', legalValues: ['paid', 'free'] },
  { name: 'age' },
  { name: 'version' },
];

const CONSTRAINTS = [
  { contextName: 'region', operator: 'IN', values: ['eu', 'us'] },
  { contextName: 'plan', operator: 'NOT_IN', values: ['paid'] },
  { contextName: 'age', operator: 'NUM_GT', value: '30' },
  { contextName: 'age', operator: 'NUM_LTE', value: '50', inverted: true },
  { contextName: 'version', operator: 'SEMVER_GTE', value: '1.5.0' },
  { contextName: 'version', operator: 'SEMVER_LT', value: '3.0.0' },
  {
    contextName: 'currentTime',
    operator: 'DATE_AFTER',
    value: '2026-06-01T00:00:00.000Z',
  },
  {
    contextName: 'userId',
    operator: 'STR_ENDS_WITH',
    values: ['1', '2', '3'],
    caseInsensitive: true,
  },
  {
    contextName: 'userId',
    operator: 'STR_CONTAINS',
    values: ['-5'],
    inverted: true,
  },
  { contextName: 'userId', operator: 'REGEX', value: '^user-[0-4]' },
];

/**
 * Creates flags of many kinds in the Unleash server, as its users would.
 *
 * @returns their names.
 */
export async function createFlags(admin: Admin): Promise<string[]> {
  for (const { legalValues = [], ...field } of CONTEXT_FIELDS) {
    await admin('POST', '/api/admin/context', {
      ...field,
      legalValues: legalValues.map(value => ({ value })),
    });
  }
  await admin('POST', '/api/admin/tag-types', {
    name: 'team',
    description: 'Who looks after it',
    icon: 'T',
  });
  const segments: number[] = [];
  for (const segment of SEGMENTS) {
    const { id } = (await admin('POST', '/api/admin/segments', segment)) as {
      id: number;
    };
    segments.push(id);
  }
  const names = Array.from({ length: COUNT }, (_, index) => `flag-${index}`);
  const waiting = [...names.entries()];
  await Promise.all(
    Array.from({ length: PARALLEL }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        await createFlag(admin, next[0], segments);
      }
    }),
  );
  // Parents must exist, and must not have parents themselves.
  for (let index = 7; index < COUNT; index += 12) {
    await admin('POST', `${FLAGS}/flag-${index}/dependencies`, {
      feature: `flag-${(index + 1) % 12}`,
      ...(index % 24 === 7 && { enabled: false }),
    });
  }
  return names;
}

async function createFlag(
  admin: Admin,
  index: number,
  segments: readonly number[],
): Promise<void> {
  const name = `flag-${index}`;
  await admin('POST', FLAGS, {
    name,
    type: ['release', 'experiment', 'kill-switch'][index % 3],
    description: `Number ${index}`,
    impressionData: index % 9 === 0,
  });
  if (index % 6 === 0) {
    await admin('POST', `/api/admin/features/${name}/tags`, {
      type: index % 12 === 0 ? 'team' : 'simple',
      value: `tag-${index % 4}`,
    });
  }
  if (index % 25 === 0) {
    await admin('POST', `${FLAGS}/${name}/link`, {
      url: `https://example.org/${name}`,
      title: name,
    });
  }
  for (const [place, environment] of ENVIRONMENTS.entries()) {
    const path = `${FLAGS}/${name}/environments/${environment}`;
    for (const strategy of strategiesOf(index + place, name, segments)) {
      await admin('POST', `${path}/strategies`, strategy);
    }
    if ((index + place) % 8 !== 0) {
      await admin('POST', `${path}/on`);
    }
  }
}

function strategiesOf(
  index: number,
  name: string,
  segments: readonly number[],
): object[] {
  const stickiness = ['default', 'userId', 'sessionId', 'region'][index % 4];
  return [
    {
      name: 'flexibleRollout',
      title: `Part ${index}`,
      parameters: {
        // Not `random`, which differs from call to call, and not `default`, which does so without a user.
        rollout: String((index * 7) % 101),
        stickiness: stickiness === 'default' ? 'userId' : stickiness,
        groupId: name,
      },
      constraints:
        index % 3 === 0 ? [] : [CONSTRAINTS[index % CONSTRAINTS.length]],
      segments: index % 4 === 1 ? [segments[index % segments.length]] : [],
      variants: index % 5 === 2 ? variantsOf(name) : [],
    },
    ...(index % 7 === 3
      ? [{ name: 'remoteAddress', parameters: { IPs: '10.0.1.0/28' } }]
      : []),
    ...(index % 10 === 4 ? [{ name: 'default', disabled: true }] : []),
    ...(index % 40 === 6 ? [{ name: 'default' }] : []),
  ];
}

function variantsOf(name: string): object[] {
  return [
    {
      name: 'blue',
      weight: 300,
      weightType: 'fix',
      stickiness: 'userId',
      payload: { type: 'json', value: JSON.stringify({ name }) },
    },
    {
      name: 'red',
      weight: 700,
      weightType: 'variable',
      stickiness: 'userId',
      payload: { type: 'string', value: name },
    },
  ];
}
