import { testDatabaseClients } from '@slipway/service-kit/testing';
import { errorAnswer, feedbackSuite } from '../__testUtils__/feedbackSuite.ts';
import { PNG } from '../__testUtils__/startFeedback.ts';

describe.each(testDatabaseClients())('screenshots on %s', databaseClient => {
  const suite = feedbackSuite(databaseClient);

  it('stores a screenshot and serves it with the type of its bytes', async () => {
    const { body } = await suite.clients.nobody.submit({
      screenshot: `data:image/gif;base64,${PNG}`,
    });
    const record = await suite.clients.nobody.get(
      `/api/v1/feedback/${body.id}`,
    );
    expect(record.body.screenshot_url).toBe(
      `/api/v1/feedback/${body.id}/screenshot`,
    );
    const image = await suite.service.app.inject({
      url: record.body.screenshot_url,
    });
    expect(image.statusCode).toBe(200);
    expect(image.rawPayload.toString('base64')).toBe(PNG);
    expect(image.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    const broken = PNG.replace(/.{20}/g, '$&\r\n');
    const sent = await suite.clients.nobody.submit({ screenshot: broken });
    const inLines = await suite.service.app.inject({
      url: `/api/v1/feedback/${sent.body.id}/screenshot`,
    });
    expect(inLines.rawPayload.toString('base64')).toBe(PNG);
    const without = await suite.clients.nobody.submit();
    expect(
      await suite.clients.nobody.get(
        `/api/v1/feedback/${without.body.id}/screenshot`,
      ),
    ).toMatchObject(errorAnswer(404, 'NOT_FOUND'));
  });

  it('serves a screenshot of an earlier version without its metadata', async () => {
    const { body } = await suite.clients.nobody.submit({ screenshot: PNG });
    const served = async (bytes: Buffer) => {
      await suite.database.knex('screenshots').update({ bytes });
      const { rawPayload } = await suite.service.app.inject({
        url: `/api/v1/feedback/${body.id}/screenshot`,
      });
      return rawPayload.toString('base64');
    };
    const image = Buffer.from(PNG, 'base64');
    const text = Buffer.from('\0\0\0\x04tEXtBonn\0\0\0\0', 'latin1');
    // After the signature and the header.
    const stored = [image.subarray(0, 33), text, image.subarray(33)];
    expect(await served(Buffer.concat(stored))).toBe(PNG);
    const malformed = image.subarray(0, 40);
    expect(await served(malformed)).toBe(malformed.toString('base64'));
  });

  it('rejects a screenshot of more than 5 MiB', async () => {
    const screenshot = Buffer.concat([
      Buffer.from(PNG, 'base64'),
      Buffer.alloc(5 * 1024 * 1024),
    ]).toString('base64');
    expect(await suite.clients.nobody.submit({ screenshot })).toMatchObject(
      errorAnswer(413, 'PAYLOAD_TOO_LARGE', {
        field: 'screenshot',
        constraint: 'maxLength',
      }),
    );
  });
});
