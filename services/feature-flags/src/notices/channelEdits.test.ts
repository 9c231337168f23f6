import { testDatabaseClients } from '@slipway/service-kit/testing';
import { flagsSuite } from '../__testUtils__/flagsSuite.ts';
import { ADMIN_TOKEN } from '../__testUtils__/startFeatureFlags.ts';

describe.each(testDatabaseClients())('a notice channel on %s', client => {
  const suite = flagsSuite(client);
  const send = (
    method: 'GET' | 'POST' | 'PATCH',
    { path = '', payload, ifMatch }: Sending = {},
  ) =>
    suite.calls.send(method, `/api/admin/notices${path}`, {
      token: ADMIN_TOKEN,
      payload,
      ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }),
    });
  const create = async () => {
    const { body, headers } = await send('POST', {
      payload: {
        name: 'Shop',
        kind: 'slack',
        url: 'https://hooks.slack.com/services/T0/B0/x',
      },
    });
    expect([body.revision, headers.etag]).toEqual([1, '"1"']);
    return `/${body.id}`;
  };

  it('is changed only by the first of two edits of the same state', async () => {
    const path = await create();
    const answers = await Promise.all(
      ['One', 'Other'].map(name =>
        send('PATCH', { path, payload: { name }, ifMatch: '"1"' }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    const changed = answers.find(({ status }) => status === 200)!;
    expect(changed.headers.etag).toBe('"2"');
    const { body, headers } = await send('GET', { path });
    expect([body.name, body.revision, headers.etag]).toEqual([
      changed.body.name,
      2,
      '"2"',
    ]);
    const refused = answers.find(({ status }) => status === 412)!;
    expect(refused.body.message).toMatch(/has changed since it was read$/);
    expect(
      await send('PATCH', {
        path,
        payload: { enabled: false },
        ifMatch: 'W/"2"',
      }),
    ).toMatchObject({ status: 200, body: { enabled: false, revision: 3 } });
  });

  it('keeps its id, revision, author and times, whatever an edit sends', async () => {
    const path = await create();
    const { body: before } = await send('GET', { path });
    const { status, body } = await send('PATCH', {
      path,
      payload: {
        enabled: false,
        id: 99,
        revision: 7,
        createdBy: 'user:default/eve',
        createdAt: 'yesterday',
      },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      enabled: false,
      revision: 2,
      updatedAt: expect.any(String),
    });
    expect((await send('GET', { path })).body).toEqual(body);
  });

  it('keeps each of several edits of different fields that name no state', async () => {
    const path = await create();
    const edits = [
      { name: 'Team' },
      { enabled: false },
      { events: ['flag-archived'] },
    ];
    const answers = await Promise.all(
      edits.map(payload => send('PATCH', { path, payload })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await send('GET', { path })).body).toMatchObject({
      ...Object.assign({}, ...edits),
      revision: 4,
    });
  });
});

interface Sending {
  path?: string;
  payload?: object;
  ifMatch?: string;
}
