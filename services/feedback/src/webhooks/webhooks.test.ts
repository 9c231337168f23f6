import { testDatabaseClients } from '@slipway/service-kit/testing';
import {
  automationSuite,
  RUN,
  validated,
} from '../__testUtils__/automationSuite.ts';
import { WebhookReceiver } from '../__testUtils__/WebhookReceiver.ts';

describe.each(testDatabaseClients())('webhooks on %s', databaseClient => {
  const suite = automationSuite(databaseClient);

  it('sends signed webhooks, retries rejected ones, and logs them', async () => {
    const receiver = new WebhookReceiver();
    const url = await receiver.start();
    receiver.refusals.push(500);
    const clients = await suite.start({
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
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1));
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
