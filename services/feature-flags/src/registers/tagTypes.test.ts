import { testDatabaseClients } from '@slipway/service-kit/testing';
import { flagsSuite } from '../__testUtils__/flagsSuite.ts';
import { CLIENT_TOKEN } from '../__testUtils__/startFeatureFlags.ts';

describe.each(testDatabaseClients())('types of tags on %s', client => {
  const suite = flagsSuite(client, 'block');
  const admin: typeof suite.calls.admin = (...args) =>
    suite.calls.admin(...args);

  it('are created, read, changed and deleted as in Unleash', async () => {
    const team = {
      name: 'team',
      description: 'Who owns it',
      icon: 'T',
      color: '#0a7ea4',
    };
    const created = await admin('POST', '/tag-types', team);
    expect([created.status, created.body]).toEqual([201, team]);
    expect((await admin('POST', '/tag-types', team)).status).toBe(409);
    expect((await admin('GET', '/tag-types')).body).toEqual({
      version: 1,
      tagTypes: [
        { name: 'simple', description: '', icon: '', color: null },
        team,
      ],
    });
    const changed = await admin('PUT', '/tag-types/team', { color: null });
    expect([changed.status, changed.body]).toEqual([
      200,
      { ...team, color: null },
    ]);
    expect((await admin('GET', '/tag-types/team')).body.tagType.color).toBe(
      null,
    );

    await suite.calls.create('search', {
      tags: [{ type: 'team', value: 'search' }],
    });
    const used = await admin('DELETE', '/tag-types/team');
    expect([used.status, used.body.message]).toEqual([
      409,
      'Flags have tags of the type team, such as search',
    ]);
    await admin('DELETE', '/features/search/tags/team/search');
    expect((await admin('DELETE', '/tag-types/team')).status).toBe(200);
    expect((await admin('GET', '/tag-types/team')).status).toBe(404);
    expect((await admin('DELETE', '/tag-types/team')).status).toBe(404);
    expect((await admin('DELETE', '/tag-types/simple')).status).toBe(409);
    const { body } = await admin('GET', '/events');
    expect(body.events.map(({ type }: { type: string }) => type)).toEqual(
      expect.arrayContaining([
        'tag-type-created',
        'tag-type-updated',
        'tag-type-deleted',
      ]),
    );
  });

  it('name the invalid field, and require an admin', async () => {
    for (const [body, field] of [
      [{}, 'name'],
      [{ name: 'two words' }, 'name'],
      [{ name: 'team', color: 'red' }, 'color'],
      [{ name: 'team', icon: 'x'.repeat(101) }, 'icon'],
    ] as const) {
      const refused = await admin('POST', '/tag-types', body);
      expect(refused.status).toBe(400);
      expect(refused.body.message).toContain(field);
    }
    expect((await admin('PUT', '/tag-types/gone', { icon: 'x' })).status).toBe(
      404,
    );
    for (const [token, status] of [
      [undefined, 401],
      [CLIENT_TOKEN, 403],
    ] as const) {
      const { send } = suite.calls;
      const refused = await send('GET', '/api/admin/tag-types', { token });
      expect(refused.status).toBe(status);
    }
  });
});
