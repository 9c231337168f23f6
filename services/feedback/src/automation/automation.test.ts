import type { Database, Service } from '@slipway/service-kit';
import {
  type FakePortal,
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { FakeGitHub, GITHUB_TOKEN } from '../__testUtils__/FakeGitHub.ts';
import {
  type Client,
  clientsOf,
  startFeedback,
  startPortal,
} from '../__testUtils__/startFeedback.ts';
import { WebhookReceiver } from '../__testUtils__/WebhookReceiver.ts';

const RUN = '/api/v1/automation/process-validated';

let portal: FakePortal;

beforeAll(async () => {
  portal = await startPortal();
});

afterAll(() => portal.stop());

async function validated(
  clients: { ada: Client; grace: Client },
  message = 'The search does not work',
): Promise<string> {
  const { body } = await clients.grace.submit({ rating: 2, message });
  await clients.ada.move(body.id, 'validated');
  return body.id;
}

describe.each(testDatabaseClients())('automation on %s', databaseClient => {
  let database: Database;
  let dispose: () => Promise<void>;
  const services: Service[] = [];

  beforeEach(async () => {
    ({ database, dispose } = await openTestDatabase(databaseClient));
  });

  afterEach(async () => {
    for (const service of services.splice(0)) {
      await service.stop();
    }
    await dispose();
  });

  async function start(
    options: {
      config?: Record<string, unknown>;
      now?: () => number;
    } = {},
  ) {
    const service = await startFeedback(portal, { database, ...options });
    services.push(service);
    return { service, ...(await clientsOf(service, portal)) };
  }

  describe('with the embedded tracker', () => {
    it('makes an issue of what is validated, once, and shows it', async () => {
      const clients = await start();
      const { ada, automation, nobody } = clients;
      await nobody.submit();
      const id = await validated(
        clients,
        '<b>Search</b> fails for @ada\nAlways',
      );
      const { status, body } = await automation.post(RUN);
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          processed: 1,
          tracker_issues_created: [
            {
              feedback_id: id,
              issue_number: expect.any(Number),
              issue_url: expect.stringMatching(/^http:\/\/.*\/issues\/\d+$/),
            },
          ],
          errors: [],
        },
      });
      const [{ issue_number, issue_url }] = body.tracker_issues_created;
      const record = (await ada.get(`/api/v1/feedback/${id}`)).body;
      expect(record).toMatchObject({
        status: 'in_progress',
        tracker_issue: {
          number: issue_number,
          url: issue_url,
          tracker: 'embedded',
        },
      });
      expect(record.history.at(-1)).toMatchObject({
        actor: 'automation',
        from: 'validated',
        to: 'in_progress',
      });
      const issue = await nobody.get(`/api/v1/issues/${issue_number}`);
      expect(issue.body).toMatchObject({ state: 'open', feedback_id: id });
      // The title mentions nobody.
      expect(issue.body.title).toBe('<b>Search</b> fails for @\u200bada');
      const page = await nobody.get(new URL(issue_url).pathname);
      expect(page.status).toBe(200);
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(page.body).toContain('&lt;b&gt;Search&lt;/b&gt;');
      expect(page.body).not.toContain('<b>');

      expect((await automation.post(RUN)).body.processed).toBe(0);
    });

    it('is for its key and for admins', async () => {
      const { ada, grace, nobody, automation } = await start();
      expect((await nobody.post(RUN)).status).toBe(401);
      expect((await grace.post(RUN)).status).toBe(403);
      expect((await ada.post(RUN)).status).toBe(200);
      expect((await automation.post(RUN)).status).toBe(200);
      const wrong = await services[0].app.inject({
        method: 'POST',
        url: RUN,
        headers: { 'x-api-key': 'wrong' },
      });
      expect(wrong.statusCode).toBe(401);
    });

    it('makes one issue of each, however many run at once', async () => {
      const first = await start();
      const second = await start();
      const ids = [];
      for (let index = 0; index < 12; index += 1) {
        ids.push(await validated(first, `Number ${index}`));
      }
      const runs = await Promise.all(
        [first, second, first, second].map(({ automation }) =>
          automation.post(RUN),
        ),
      );
      const made = runs.flatMap(({ body }) => body.tracker_issues_created);
      expect(made.map(({ feedback_id }) => feedback_id).sort()).toEqual(ids);
      const issues = (await first.nobody.get('/api/v1/issues')).body;
      expect(issues.pagination.total).toBe(12);
    });

    it('moves on what was validated again, with the issue that it has', async () => {
      const clients = await start();
      const { ada, automation } = clients;
      const id = await validated(clients);
      await automation.post(RUN);
      const read = async () => (await ada.get(`/api/v1/feedback/${id}`)).body;
      const before = await read();
      await ada.move(id, 'validated');
      expect((await automation.post(RUN)).body).toEqual({
        processed: 1,
        tracker_issues_created: [],
        errors: [],
      });
      const after = await read();
      expect(after).toMatchObject({
        status: 'in_progress',
        tracker_issue: before.tracker_issue,
      });
      expect(after.history.at(-1)).toMatchObject({
        actor: 'automation',
        from: 'validated',
        to: 'in_progress',
      });
      expect((await ada.get('/api/v1/issues/2')).status).toBe(404);
      expect((await automation.post(RUN)).body.processed).toBe(0);
    });

    it('resolves the feedback of a closed issue, and takes it up again', async () => {
      const clients = await start();
      const { ada, grace, automation } = clients;
      const id = await validated(clients);
      const { body } = await automation.post(RUN);
      const [{ issue_number }] = body.tracker_issues_created;
      const url = `/api/v1/issues/${issue_number}`;
      expect((await grace.put(url, { state: 'closed' })).status).toBe(403);
      expect((await ada.put(url, { state: 'closed' })).body).toMatchObject({
        state: 'closed',
        closed_by: 'user:default/ada',
      });
      const status = async () =>
        (await ada.get(`/api/v1/feedback/${id}`)).body.status;
      expect(await status()).toBe('resolved');
      await ada.put(url, { state: 'open' });
      expect(await status()).toBe('in_progress');
      expect(
        (await ada.put('/api/v1/issues/99', { state: 'open' })).status,
      ).toBe(404);
    });
  });

  describe('with GitHub', () => {
    let github: FakeGitHub;
    let baseUrl: string;
    const clock = { ahead: 0 };
    const now = () => Date.now() + clock.ahead;

    beforeEach(async () => {
      clock.ahead = 0;
      github = new FakeGitHub();
      baseUrl = await github.start();
    });

    afterEach(() => github.stop());

    const config = (token = GITHUB_TOKEN) => ({
      tracker: {
        kind: 'github',
        watchSeconds: 0.05,
        github: { owner: 'acme', repository: 'portal', token, baseUrl },
      },
    });

    it('makes an issue with a label and a marker', async () => {
      const clients = await start({ config: config(), now });
      const id = await validated(clients, 'Broken ```code``` fences');
      const { body } = await clients.automation.post(RUN);
      expect(body).toMatchObject({
        processed: 1,
        tracker_issues_created: [
          {
            feedback_id: id,
            issue_number: 1,
            issue_url: 'https://github.example/acme/portal/issues/1',
          },
        ],
      });
      expect(github.issues[0]).toMatchObject({
        title: 'Broken ```code``` fences',
        labels: [{ name: 'feedback' }],
        body: expect.stringMatching(
          new RegExp(`^<!-- slipway-feedback: ${id} -->\n\`{4}text\n`),
        ),
      });
      expect(github.issues[0].body).not.toContain('grace');
    });

    it('finds the issue whose answer was lost instead of making another', async () => {
      const clients = await start({ config: config(), now });
      const id = await validated(clients);
      github.creations.push('lost');
      const first = await clients.automation.post(RUN);
      expect(first.body).toEqual({
        processed: 1,
        tracker_issues_created: [],
        errors: [
          {
            feedback_id: id,
            code: 'TRACKER_UNAVAILABLE',
            message: expect.any(String),
          },
        ],
      });
      expect(
        (await clients.ada.get(`/api/v1/feedback/${id}`)).body.status,
      ).toBe('validated');
      // Too early: what is under way might not show yet.
      expect((await clients.automation.post(RUN)).body.processed).toBe(0);

      // Pull requests and foreign issues stand between, more than a page of them.
      const labels = [{ name: 'feedback' }];
      const body = `<!-- slipway-feedback: ${id} -->`;
      github.add({ labels, body, pull_request: {} });
      github.add({ labels, body: `Somebody quotes ${body}` });
      Array.from({ length: 120 }, () => github.add({ labels }));
      clock.ahead = 60_000;
      const second = await clients.automation.post(RUN);
      expect(second.body.tracker_issues_created).toMatchObject([
        { feedback_id: id, issue_number: 1 },
      ]);
      expect(github.issues).toHaveLength(123);
    });

    it('finds the issue of a process that died between the two writes', async () => {
      const clients = await start({ config: config(), now });
      const id = await validated(clients);
      // The answer never reaches anybody: neither does what was to be written.
      let release = () => {};
      const hanging = new Promise<void>(resolve => {
        release = resolve;
      });
      github.onCreated = () => hanging;
      const dying = clients.automation.post(RUN);
      await vi.waitFor(() => expect(github.issues).toHaveLength(1));
      const next = await start({ config: config(), now });
      expect((await next.automation.post(RUN)).body.processed).toBe(0);
      clock.ahead = 60_000;
      const run = await next.automation.post(RUN);
      expect(run.body.tracker_issues_created).toMatchObject([
        { feedback_id: id, issue_number: 1 },
      ]);
      // The one that was believed dead comes back, and changes nothing.
      release();
      expect((await dying).body.tracker_issues_created).toEqual([]);
      expect(github.issues).toHaveLength(1);
    });

    it('says what was refused, goes on with the others, and tries again', async () => {
      const clients = await start({ config: config(), now });
      const first = await validated(clients, 'First');
      const second = await validated(clients, 'Second');
      github.creations.push('refused');
      const { body } = await clients.automation.post(RUN);
      expect(body).toMatchObject({
        processed: 2,
        tracker_issues_created: [{ feedback_id: second }],
        errors: [{ feedback_id: first, code: 'TRACKER_REFUSED' }],
      });
      const again = await clients.automation.post(RUN);
      expect(again.body.tracker_issues_created).toMatchObject([
        { feedback_id: first },
      ]);
      const denied = await start({ config: config('wrong'), now });
      await validated(denied);
      expect((await denied.automation.post(RUN)).body.errors).toMatchObject([
        { code: 'TRACKER_REFUSED', message: 'GitHub answered 401' },
      ]);
    });

    it('sees that an issue was closed there', async () => {
      const clients = await start({ config: config(), now });
      const id = await validated(clients);
      await clients.automation.post(RUN);
      await clients.service.start();
      github.issues[0].state = 'closed';
      await vi.waitFor(async () => {
        const { body } = await clients.ada.get(`/api/v1/feedback/${id}`);
        expect(body.status).toBe('resolved');
      });
    });
  });

  it('tells webhooks, signed, again where they were not taken, and logs it', async () => {
    const receiver = new WebhookReceiver();
    const url = await receiver.start();
    receiver.refusals.push(500);
    const clients = await start({
      config: { egress: { allowedHosts: ['127.0.0.1'] } },
    });
    const { ada, grace } = clients;
    await clients.service.start();
    expect((await grace.get('/api/v1/webhooks')).status).toBe(403);
    const registered = await ada.post('/api/v1/webhooks', {
      url,
      events: ['feedback.tracker_issue_created'],
      secret: receiver.secret,
    });
    expect(registered).toMatchObject({
      status: 201,
      body: { url, secret: receiver.secret, configured: false },
    });
    const listed = await ada.get('/api/v1/webhooks');
    expect(listed.body.webhooks).toEqual([
      {
        id: registered.body.id,
        url,
        events: ['feedback.tracker_issue_created'],
        configured: false,
      },
    ]);
    const id = await validated(clients);
    const { body } = await clients.automation.post(RUN);
    const [{ issue_number, issue_url }] = body.tracker_issues_created;
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), 10_000);
    expect(receiver.received[0]).toEqual({
      id: expect.any(String),
      event: 'feedback.tracker_issue_created',
      body: {
        event: 'feedback.tracker_issue_created',
        timestamp: expect.stringMatching(/Z$/),
        feedback: {
          id,
          rating: 2,
          category: 'UI/UX',
          message: 'The search does not work',
        },
        tracker_issue: {
          number: issue_number,
          url: issue_url,
          title: 'The search does not work',
        },
      },
    });
    await vi.waitFor(async () => {
      const log = await ada.get('/api/v1/webhooks/deliveries');
      expect(log.body.deliveries).toMatchObject([
        {
          id: receiver.received[0].id,
          webhook_id: registered.body.id,
          state: 'delivered',
          attempts: 2,
          last_status: 204,
        },
      ]);
    });
    const remove = () =>
      ada.call('DELETE', `/api/v1/webhooks/${registered.body.id}`);
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    for (const wrong of [
      'ftp://x',
      'https://ada:secret@hooks.example',
      'http://169.254.169.254/latest',
      'http://[::1]:8080/api/v1/feedback',
      'http://0x7f.2/',
    ]) {
      const refused = await ada.post('/api/v1/webhooks', { url: wrong });
      expect(refused).toMatchObject({
        status: 400,
        body: { error: { details: { field: 'url' } } },
      });
    }
    await receiver.stop();
  });
});
