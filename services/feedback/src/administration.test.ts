import { testDatabaseClients } from '@slipway/service-kit/testing';
import { automationSuite } from './__testUtils__/automationSuite.ts';
import { KEY } from './__testUtils__/startFeedback.ts';

const PATH = '/api/v1/administration';
const SECRET = 'never-to-be-shown-anywhere';

describe.each(testDatabaseClients())('administration on %s', client => {
  const suite = automationSuite(client);

  it('has the credentials of the tracker and the chats, but no secret', async () => {
    const { ada, grace, nobody } = await suite.start({
      config: {
        admins: ['group:default/platform-admins'],
        tracker: {
          kind: 'github',
          github: { owner: 'acme', repository: 'shop', token: SECRET },
        },
        bot: {
          slack: {
            token: SECRET,
            signingSecret: SECRET,
            apiUrl: 'http://127.0.0.1:1',
          },
        },
      },
    });
    const { status, body } = await ada.get(PATH);
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toMatch(`${SECRET}|${KEY}`);
    expect(body.roles[0]).toMatchObject({
      name: 'Admins',
      groups: ['group:default/platform-admins'],
      key: 'feedback.admins',
    });
    expect(
      body.tokens.map(({ kind, name }: Record<string, string>) => [kind, name]),
    ).toEqual([
      ['outgoing', 'GitHub issues of acme/shop'],
      ['outgoing', 'Slack bot'],
      ['webhook-secret', 'Slack events'],
      ['api-key', 'test'],
    ]);
    expect(body.webhooks).toMatchObject([
      { direction: 'incoming', kind: 'Slack', signed: true },
    ]);
    expect((await grace.get(PATH)).status).toBe(403);
    expect((await nobody.get(PATH)).status).toBe(401);
  });
});
