import { testDatabaseClients } from '@slipway/service-kit/testing';
import { anError, flagsSuite, TIME } from '../__testUtils__/flagsSuite.ts';
import { ADMIN_TOKEN } from '../__testUtils__/startFeatureFlags.ts';

describe.each(testDatabaseClients())('creating a flag on %s', client => {
  const suite = flagsSuite(client);

  const flag = {
    name: 'checkout.new-form_2~x',
    description: 'The new form',
    type: 'release',
    enabled: true,
    stale: false,
    strategies: [
      {
        name: 'gradualRolloutUserId',
        parameters: { percentage: '50', groupId: 'checkout' },
      },
    ],
  };

  it('returns 201 with the flag, and lists it', async () => {
    const created = await suite.calls.admin('POST', '/features', {
      ...flag,
      unknown: 1,
    });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      ...flag,
      project: 'default',
      impressionData: false,
      variants: [],
      archived: false,
      createdAt: expect.stringMatching(TIME),
      updatedAt: expect.stringMatching(TIME),
    });
    expect(created.headers.location).toBe(`/api/admin/features/${flag.name}`);
    for (const path of ['/features', '/features/']) {
      const list = await suite.calls.admin('GET', path);
      expect(list.status).toBe(200);
      expect(list.body).toEqual({ version: 2, features: [created.body] });
    }
    const one = await suite.calls.admin('GET', `/features/${flag.name}`);
    expect(one.body).toEqual(created.body);
  });

  it('is on for nobody if its segment is missing or its strategy is disabled', async () => {
    const { status, body } = await suite.calls.create('cautious', {
      enabled: true,
      strategies: [{ name: 'default', segments: [1], disabled: true }],
    });
    expect(status).toBe(201);
    expect(body.problems).toEqual([
      { field: 'strategies.0.segments.0', message: expect.any(String) },
      { field: 'strategies', message: expect.stringMatching(/is off$/) },
    ]);
    expect(await suite.calls.features()).toMatchObject([
      { name: 'cautious', enabled: false, strategies: [] },
    ]);
  });
});

describe.each(testDatabaseClients())('creating flags on %s', client => {
  const suite = flagsSuite(client, 'block');

  it('applies defaults to omitted fields', async () => {
    const { body } = await suite.calls.admin('POST', '/features', {
      name: 'a',
    });
    expect(body).toMatchObject({
      description: '',
      type: 'release',
      enabled: false,
      stale: false,
      strategies: [{ name: 'default', parameters: {} }],
    });
  });

  it('accepts null for omitted fields', async () => {
    const { status, body } = await suite.calls.admin('POST', '/features', {
      name: 'nulls',
      description: null,
      type: null,
      enabled: null,
      stale: null,
      strategies: null,
      variants: null,
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      description: '',
      type: 'release',
      enabled: false,
      stale: false,
      strategies: [{ name: 'default', parameters: {} }],
      variants: [],
    });
  });

  it('returns 409 for a name that is in use, also by an archived flag', async () => {
    await suite.calls.create('taken');
    const again = await suite.calls.create('taken');
    expect(again.status).toBe(409);
    expect(again.body).toEqual(
      anError('NameExistsError', 'A flag with the name taken exists'),
    );
    await suite.calls.admin('DELETE', '/features/taken');
    const archived = await suite.calls.create('taken');
    expect(archived.status).toBe(409);
    expect(archived.body.message).toMatch(/^An archived flag has the name/);
  });

  it('accepts one of many concurrent creations', async () => {
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => suite.calls.create('race')),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([
      201, 409, 409, 409, 409, 409, 409, 409,
    ]);
  });

  it('says whom a constraint with an infinite number matches', async () => {
    const { body } = await suite.calls.create('infinite', {
      strategies: [
        ['NUM_LT', '1e400'],
        ['NUM_LTE', '-1e400'],
        ['NUM_GTE', '-1e400'],
        ['NUM_EQ', '1e400'],
      ].map(([operator, value]) => ({
        name: 'default',
        constraints: [{ contextName: 'x', operator, value }],
      })),
    });
    expect(
      body.problems.map(({ message }: { message: string }) =>
        message.split(' ').at(-1),
      ),
    ).toEqual(['everyone', 'nobody', 'everyone', 'nobody']);
  });

  it('says that a time without a zone depends on the application', async () => {
    const { body } = await suite.calls.create('zoneless', {
      strategies: ['2026-12-01T09:00', '2026-12-01T09:00:00.000'].map(
        value => ({
          name: 'default',
          constraints: [
            { contextName: 'currentTime', operator: 'DATE_AFTER', value },
          ],
        }),
      ),
    });
    expect(body.problems).toEqual(
      [0, 1].map(index => ({
        field: `strategies.${index}.constraints.0.value`,
        message: expect.stringMatching(/time zone/),
      })),
    );
  });

  it('says that nobody gets variants without weight', async () => {
    const { body } = await suite.calls.create('weightless', {
      variants: [{ name: 'blue', weight: 0 }],
    });
    expect(body.problems).toEqual([
      { field: 'variants', message: expect.any(String) },
    ]);
  });

  it('returns 400 for another media type and 413 for a body that is too large', async () => {
    const text = await suite.calls.send('POST', '/api/admin/features', {
      token: ADMIN_TOKEN,
      headers: { 'content-type': 'text/plain' },
      payload: 'name=a',
    });
    expect([text.status, text.body.name]).toEqual([400, 'BadDataError']);
    const large = await suite.calls.create('a', {
      description: 'a'.repeat(1024 * 1024),
    });
    expect([large.status, large.body.name]).toEqual([
      413,
      'PayloadTooLargeError',
    ]);
  });
});

describe.each(testDatabaseClients())('checking a flag on %s', client => {
  const suite = flagsSuite(client, 'block');
  let names = 0;
  const nextName = () => {
    names += 1;
    return `flag-${names}`;
  };

  it.each<[string, object | string, string]>([
    ['no name', {}, 'name is required'],
    ['an empty name', { name: '' }, 'name must not be empty'],
    [
      'a name that no path has',
      { name: 'a b' },
      'name must be URL friendly: letters',
    ],
    ['two dots', { name: '..' }, 'name must be URL friendly: letters'],
    ['a name too long', { name: 'a'.repeat(101) }, 'at most 100'],
    ['a number', { name: 'a', enabled: 1 }, 'enabled must be of type'],
    [
      'a parameter that is no text',
      {
        name: 'a',
        strategies: [{ name: 'default', parameters: { percentage: 5 } }],
      },
      'strategies.0.parameters.percentage must be of type string',
    ],
    [
      'a rollout over 100',
      {
        name: 'a',
        strategies: [
          { name: 'flexibleRollout', parameters: { rollout: '101' } },
        ],
      },
      'strategies.0.parameters.rollout must be a whole number',
    ],
    [
      'a rollout without its share',
      { name: 'a', strategies: [{ name: 'gradualRolloutUserId' }] },
      'strategies.0.parameters.percentage is required',
    ],
    [
      'targeting that it does not know',
      {
        name: 'a',
        enabled: true,
        strategies: [{ name: 'default', segment: [1], off: true }],
      },
      'strategies.0.segment is not a known field',
    ],
    [
      'a member of a constraint that it does not know',
      {
        name: 'a',
        strategies: [
          {
            name: 'default',
            constraints: [{ contextName: 'userId', operator: 'IN', not: true }],
          },
        ],
      },
      'strategies.0.constraints.0.not is not a known field',
    ],
    [
      'a member of a dependency that it does not know',
      { name: 'a', dependencies: [{ feature: 'b', isEnabled: false }] },
      'dependencies.0.isEnabled is not a known field',
    ],
    [
      'a member of an override that it does not know',
      {
        name: 'a',
        variants: [
          {
            name: 'blue',
            weight: 1,
            overrides: [{ contextName: 'x', values: ['y'], inverted: true }],
          },
        ],
      },
      'variants.0.overrides.0.inverted is not a known field',
    ],
    [
      'two variants of one name',
      {
        name: 'a',
        variants: [
          { name: 'blue', weight: 1 },
          { name: 'blue', weight: 2 },
        ],
      },
      'variants.1.name is used by two variants',
    ],
    [
      'an expression with many parts',
      {
        name: 'a',
        strategies: [
          {
            name: 'default',
            constraints: [
              {
                contextName: 'x',
                operator: 'REGEX',
                value: '(a{0,100}){0,9}b{0,101}',
              },
            ],
          },
        ],
      },
      'strategies.0.constraints.0.value must be a smaller expression',
    ],
    ['the name of a prototype', { name: '__proto__' }, 'URL friendly'],
    ['no JSON', '{"name":', 'The request body is not valid JSON'],
    ['a list', [], 'body must be of type object'],
  ])('returns 400 for %s', async (_what, payload, message) => {
    const response = await suite.calls.send('POST', '/api/admin/features', {
      token: ADMIN_TOKEN,
      headers: { 'content-type': 'application/json' },
      payload,
    });
    expect(response.status).toBe(400);
    expect(response.body).toEqual(
      anError('BadDataError', expect.stringContaining(message)),
    );
  });

  it.each([
    ['NOPE', { values: ['a'] }, 'operator'],
    ['NUM_GT', { value: '1e400' }, 'value'],
    ['NUM_GT', {}, 'value'],
    ['DATE_AFTER', { value: 'tomorrow' }, 'value'],
    ['SEMVER_EQ', { value: 'v1.2.3' }, 'value'],
    ['SEMVER_EQ', { value: '1.2' }, 'value'],
    ['REGEX', { value: '(' }, 'value'],
    ['REGEX', { value: '(?=a)' }, 'value'],
    ['IN_CIDR', { values: ['10.0.0.0/99', 'home'] }, 'values'],
  ])(
    'says of a constraint %s %o that it matches nobody',
    async (operator, operand, field) => {
      const { status, body } = await suite.calls.create(nextName(), {
        strategies: [
          {
            name: 'default',
            constraints: [{ contextName: 'x', operator, ...operand }],
          },
        ],
      });
      expect(status).toBe(201);
      expect(body.problems).toEqual([
        {
          field: `strategies.0.constraints.0.${field}`,
          message: expect.stringMatching(/matches nobody$/),
        },
      ]);
      const list = await suite.calls.admin('GET', '/features');
      expect(list.body.features).toContainEqual(
        expect.objectContaining({ name: body.name, problems: body.problems }),
      );
    },
  );

  it.each([
    ['IN', { values: [] }],
    ['NUM_LTE', { value: '-1.5' }],
    ['DATE_BEFORE', { value: '2026-11-22' }],
    ['DATE_BEFORE', { value: '2026-11-22T10:00:00.000Z' }],
    ['DATE_AFTER', { value: '2026-11-22T10:00+05:30' }],
    ['SEMVER_LT', { value: '1.2.3-beta.1' }],
    ['REGEX', { value: '^a+$', inverted: true }],
    ['REGEX', { value: '(a{0,100}){0,9}b{0,100}' }],
    ['IN_CIDR', { values: ['10.0.0.0/8', 'nonsense'] }],
    ['IN_CIDR', { values: ['2001:db8::1'] }],
  ])('finds nothing wrong with %s %o', async (operator, operand) => {
    const { body } = await suite.calls.create(nextName(), {
      strategies: [
        {
          name: 'default',
          constraints: [{ contextName: 'x', operator, ...operand }],
        },
      ],
    });
    expect(body).not.toHaveProperty('problems');
  });

  it.each([
    ['REGEX', 'everyone'],
    ['NOPE', 'nobody'],
  ])(
    'says of a broken constraint %s, inverted, that it matches %s',
    async (operator, whom) => {
      const { body } = await suite.calls.create(nextName(), {
        strategies: [
          {
            name: 'default',
            constraints: [
              { contextName: 'x', operator, value: '(', inverted: true },
            ],
          },
        ],
      });
      expect(body.problems).toEqual([
        {
          field: expect.any(String),
          message: expect.stringMatching(`${whom}$`),
        },
      ]);
    },
  );
});
