import { testDatabaseClients } from '@slipway/service-kit/testing';
import { automationSuite } from '../__testUtils__/automationSuite.ts';
import { FakeGitHub, GITHUB_TOKEN } from '../__testUtils__/FakeGitHub.ts';

const PATH = '/api/v1/issues';
const draft = {
  marker: 'slipway-flag: checkout',
  title: 'Remove the feature flag checkout',
  body: 'The flag can be removed.',
};

describe.each(testDatabaseClients())('opening issues on %s', client => {
  const suite = automationSuite(client);

  it('creates one issue for each marker, which users can read', async () => {
    const { automation, grace } = await suite.start();
    const { status, body } = await automation.post(PATH, draft);
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        number: expect.any(Number),
        title: draft.title,
        url: expect.stringMatching(/^http:\/\/.*\/issues\/\d+$/),
      },
    });
    const repeated = await automation.post(PATH, draft);
    expect(repeated).toMatchObject({ status: 200, body });
    const read = await grace.get(`${PATH}/${body.number}`);
    expect(read.body).toMatchObject({
      title: draft.title,
      body: draft.body,
      state: 'open',
      feedback_id: null,
    });
  });

  it('rejects callers without the key, and markers of feedback', async () => {
    const { automation, grace, nobody } = await suite.start();
    expect((await nobody.post(PATH, draft)).status).toBe(401);
    expect((await grace.post(PATH, draft)).status).toBe(403);
    for (const wrong of [
      { marker: 'slipway-feedback: 1' },
      { marker: 'a -->' },
      { marker: 'a'.repeat(129) },
      { title: ' ' },
      { body: undefined },
    ]) {
      const sent = { ...draft, ...wrong };
      expect((await automation.post(PATH, sent)).status).toBe(400);
    }
  });

  describe('with GitHub', () => {
    const github = new FakeGitHub();
    let ahead = 0;

    beforeAll(() => github.start());
    beforeEach(() => {
      github.issues.length = 0;
      github.onCreated = undefined;
      github.isSearchBroken = false;
      ahead = 0;
    });
    afterAll(() => github.stop());

    const start = async () => {
      const { automation } = await suite.start({
        now: () => Date.now() + ahead,
        config: {
          tracker: {
            kind: 'github',
            github: {
              ...{ owner: 'acme', repository: 'portal' },
              ...{ token: GITHUB_TOKEN, baseUrl: github.url },
            },
          },
        },
      });
      return () => automation.post(PATH, draft);
    };

    it('creates one issue for requests at the same time', async () => {
      const open = await start();
      let meanwhile: number | undefined;
      github.onCreated = async () => {
        meanwhile = (await open()).status;
      };
      expect((await open()).status).toBe(201);
      expect(meanwhile).toBe(503);
      expect((await open()).status).toBe(200);
      expect(github.issues).toHaveLength(1);
    });

    it('opens an issue right after a search that failed', async () => {
      const open = await start();
      github.isSearchBroken = true;
      expect((await open()).status).toBe(503);
      github.isSearchBroken = false;
      expect((await open()).status).toBe(201);
      expect(github.issues).toHaveLength(1);
    });

    it('waits for an issue to appear after a lost response, not after a refusal', async () => {
      const open = await start();
      github.creations.push('refused');
      expect((await open()).status).toBe(503);
      github.creations.push('lost');
      expect((await open()).status).toBe(503);
      expect(github.issues).toHaveLength(1);
      github.issues[0].labels = [];
      expect((await open()).status).toBe(503);
      github.issues[0].labels = [{ name: 'feedback' }];
      ahead += 60_000;
      expect((await open()).status).toBe(200);
      expect(github.issues).toHaveLength(1);
    });
  });
});
