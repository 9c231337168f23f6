import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { errorAnswer, feedbackSuite } from '../__testUtils__/feedbackSuite.ts';
import {
  clientsOf,
  PNG,
  startFeedback,
} from '../__testUtils__/startFeedback.ts';
import { feedbackService } from '../service.ts';
import { ScreenshotStore } from '../storage/ScreenshotStore.ts';

const SIZE = Buffer.from(PNG, 'base64').length;
const DAY_MS = 24 * 3_600_000;

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

  it('stores feedback without its screenshot once the quota is used up', async () => {
    const quotaBytes = SIZE + 1;
    const service = await startFeedback(suite.portal, {
      database: suite.database,
      config: { screenshots: { quotaBytes } },
    });
    const { ada, grace, nobody } = await clientsOf(service, suite.portal);
    const urlOf = async ({ body }: { body: { id: string } }) =>
      (await nobody.get(`/api/v1/feedback/${body.id}`)).body.screenshot_url;

    const first = await nobody.submit({ screenshot: PNG });
    expect(first.body).not.toHaveProperty('screenshot_stored');
    const second = await grace.submit({ screenshot: PNG });
    expect(second).toMatchObject({
      status: 201,
      body: {
        screenshot_stored: false,
        message: expect.stringContaining('without its screenshot'),
      },
    });
    expect(await urlOf(second)).toBeNull();
    const without = await grace.submit();
    expect(without.body).not.toHaveProperty('screenshot_stored');

    const options = '/api/v1/feedback/options';
    expect((await ada.get(options)).body.screenshots).toEqual({
      bytes: SIZE,
      quota_bytes: quotaBytes,
    });
    for (const client of [grace, nobody]) {
      expect((await client.get(options)).body).not.toHaveProperty(
        'screenshots',
      );
    }
    const metrics = (await nobody.get('/metrics')).body;
    expect(metrics).toContain('feedback_screenshots_dropped_total 1');
    expect(metrics).toContain(`feedback_screenshots_bytes ${SIZE}`);

    await ada.call('DELETE', `/api/v1/feedback/${first.body.id}`);
    expect(await urlOf(await grace.submit({ screenshot: PNG }))).not.toBeNull();
    await service.stop();
  });

  it('deletes the screenshots of feedback that has been closed for long', async () => {
    const { ada, nobody } = suite.clients;
    const ids: string[] = [];
    for (const status of ['new', 'resolved', 'archived', 'resolved']) {
      const { body } = await nobody.submit({ screenshot: PNG });
      // The last one is closed a day later than the others.
      suite.clock.now += ids.length === 3 ? DAY_MS : 0;
      await ada.move(body.id, status);
      ids.push(body.id);
    }
    const store = new ScreenshotStore({ database: suite.database });
    await store.deleteClosed(suite.clock.now);
    const urls = await Promise.all(
      ids.map(
        async id =>
          (await nobody.get(`/api/v1/feedback/${id}`)).body.screenshot_url,
      ),
    );
    expect(urls.map(url => url !== null)).toEqual([true, false, false, true]);
    expect((await store.usage()).bytes).toBe(2 * SIZE);
  });

  it('deletes any number of screenshots', async () => {
    const { ada, nobody } = suite.clients;
    const { knex } = suite.database;
    const { body } = await nobody.submit({ screenshot: PNG });
    await ada.move(body.id, 'archived');
    const feedback = await knex('feedback').where({ id: body.id }).first();
    const bytes = Buffer.from('image');
    for (let copy = 0; copy < 250; copy += 1) {
      const id = `fb_copy_${copy}`;
      await knex('feedback').insert({ ...feedback, id });
      await knex('screenshots').insert({
        feedback_id: id,
        type: 'image/png',
        bytes,
      });
    }
    const store = new ScreenshotStore({ database: suite.database });
    await store.deleteClosed(suite.clock.now + 1);
    expect((await store.usage()).bytes).toBe(0);
    expect(await knex('feedback').whereNotNull('screenshot_type')).toEqual([]);
  });
});

it('adds up the sizes without reading the pages of images in SQLite', async () => {
  const { database, dispose } = await openTestDatabase(
    'sqlite',
    feedbackService,
  );
  const plan: { detail: string }[] = await database.knex.raw(
    'EXPLAIN QUERY PLAN SELECT SUM(octet_length(bytes)) FROM screenshots',
  );
  expect(plan).toMatchObject([
    { detail: expect.stringContaining('COVERING INDEX') },
  ]);
  await dispose();
});
