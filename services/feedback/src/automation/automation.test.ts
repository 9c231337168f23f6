import { testDatabaseClients } from '@slipway/service-kit/testing';
import {
  automationSuite,
  RUN,
  validated,
} from '../__testUtils__/automationSuite.ts';

describe.each(testDatabaseClients())(
  'automation with the embedded tracker on %s',
  databaseClient => {
    const suite = automationSuite(databaseClient);

    it('creates an issue for one record, and leaves the others', async () => {
      const clients = await suite.start();
      const { ada, automation } = clients;
      const first = await validated(clients, 'The first');
      const second = await validated(clients, 'The second');
      const run = await automation.post(`${RUN}?feedback_id=${second}`);
      expect(run.body).toMatchObject({
        processed: 1,
        tracker_issues_created: [{ feedback_id: second }],
      });
      const other = (await ada.get(`/api/v1/feedback/${first}`)).body;
      expect(other.status).toBe('validated');
    });

    it('creates one issue for validated feedback, and shows it', async () => {
      const clients = await suite.start();
      const { ada, automation, grace, nobody } = clients;
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
      const issue = await grace.get(`/api/v1/issues/${issue_number}`);
      expect(issue.body).toMatchObject({ state: 'open', feedback_id: id });
      // The title does not mention a user.
      expect(issue.body.title).toBe('<b>Search</b> fails for @\u200bada');
      const page = await grace.get(new URL(issue_url).pathname);
      expect(page.status).toBe(200);
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(page.body).toContain('&lt;b&gt;Search&lt;/b&gt;');
      expect(page.body).not.toContain('<b>');

      expect((await automation.post(RUN)).body.processed).toBe(0);
    });

    it('is for its key and for admins', async () => {
      const { service, ada, grace, nobody, automation } = await suite.start();
      expect((await nobody.post(RUN)).status).toBe(401);
      expect((await grace.post(RUN)).status).toBe(403);
      expect((await ada.post(RUN)).status).toBe(200);
      expect((await automation.post(RUN)).status).toBe(200);
      const wrong = await service.app.inject({
        method: 'POST',
        url: RUN,
        headers: { 'x-api-key': 'wrong' },
      });
      expect(wrong.statusCode).toBe(401);
    });

    it('creates one issue per record, with concurrent runs', async () => {
      const first = await suite.start();
      const second = await suite.start();
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

    it('moves feedback that was validated again, keeping its issue', async () => {
      const clients = await suite.start();
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

    it('resolves the feedback of a closed issue, and reopens it', async () => {
      const clients = await suite.start();
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
  },
);
