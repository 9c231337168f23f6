import { testDatabaseClients } from '@slipway/service-kit/testing';
import { automationSuite } from '../__testUtils__/automationSuite.ts';

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
      { title: ' ' },
      { body: undefined },
    ]) {
      const sent = { ...draft, ...wrong };
      expect((await automation.post(PATH, sent)).status).toBe(400);
    }
  });
});
