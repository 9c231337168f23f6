import { testDatabaseClients } from '@slipway/service-kit/testing';
import {
  automationSuite,
  RUN,
  validated,
} from '../__testUtils__/automationSuite.ts';
import { FakeGitHub, GITHUB_TOKEN } from '../__testUtils__/FakeGitHub.ts';
import { GitHubTracker } from './GitHubTracker.ts';
import { TrackerOutcomeUnknownError } from './Tracker.ts';

describe.each(testDatabaseClients())(
  'automation with GitHub on %s',
  databaseClient => {
    const suite = automationSuite(databaseClient);

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

    it('creates an issue with a label and a marker', async () => {
      const clients = await suite.start({ config: config(), now });
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

    it('finds an issue after a lost response instead of creating another', async () => {
      const clients = await suite.start({ config: config(), now });
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
      // Too early: an issue that is being created might not be visible yet.
      expect((await clients.automation.post(RUN)).body.processed).toBe(0);

      // Adds more than one page of pull requests and other issues in between.
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
      const clients = await suite.start({ config: config(), now });
      const id = await validated(clients);
      // The response never arrives, so its result is not stored.
      let release = () => {};
      const hanging = new Promise<void>(resolve => {
        release = resolve;
      });
      github.onCreated = () => hanging;
      const dying = clients.automation.post(RUN);
      await vi.waitFor(() => expect(github.issues).toHaveLength(1));
      const next = await suite.start({ config: config(), now });
      expect((await next.automation.post(RUN)).body.processed).toBe(0);
      clock.ahead = 60_000;
      const run = await next.automation.post(RUN);
      expect(run.body.tracker_issues_created).toMatchObject([
        { feedback_id: id, issue_number: 1 },
      ]);
      // The worker that was presumed dead returns, and changes nothing.
      release();
      expect((await dying).body.tracker_issues_created).toEqual([]);
      expect(github.issues).toHaveLength(1);
    });

    it('reports a rejected issue, continues with the others, and retries', async () => {
      const clients = await suite.start({ config: config(), now });
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
      const denied = await suite.start({ config: config('wrong'), now });
      await validated(denied);
      expect((await denied.automation.post(RUN)).body.errors).toMatchObject([
        { code: 'TRACKER_REFUSED', message: 'GitHub answered 401' },
      ]);
    });

    it('ends the run if GitHub would refuse every other issue too', async () => {
      const clients = await suite.start({ config: config('wrong'), now });
      const first = await validated(clients, 'First');
      await validated(clients, 'Second');
      const { body } = await clients.automation.post(RUN);
      expect(body).toMatchObject({
        processed: 1,
        errors: [{ feedback_id: first, code: 'TRACKER_REFUSED' }],
      });
      expect(body.errors).toHaveLength(1);
      const fixed = await suite.start({ config: config(), now });
      expect((await fixed.automation.post(RUN)).body).toMatchObject({
        processed: 2,
        errors: [],
      });
    });

    it('detects that an issue was closed there', async () => {
      const clients = await suite.start({ config: config(), now });
      const id = await validated(clients);
      await clients.automation.post(RUN);
      await clients.service.start();
      github.issues[0].state = 'closed';
      await vi.waitFor(async () => {
        const { body } = await clients.ada.get(`/api/v1/feedback/${id}`);
        expect(body.status).toBe('resolved');
      });
    });
  },
);

describe('the time limit of requests to GitHub', () => {
  const github = new FakeGitHub();
  const limit = AbortSignal.timeout.bind(AbortSignal);
  let tracker: GitHubTracker;

  beforeAll(async () => {
    tracker = new GitHubTracker({
      owner: 'acme',
      repository: 'portal',
      token: GITHUB_TOKEN,
      baseUrl: await github.start(),
      label: 'feedback',
    });
  });

  afterEach(() => void vi.restoreAllMocks());
  afterAll(() => github.stop());

  it('applies to each page', async () => {
    const labels = [{ name: 'feedback' }];
    Array.from({ length: 120 }, () => github.add({ labels, state: 'closed' }));
    const limits = vi.spyOn(AbortSignal, 'timeout');
    expect(await tracker.closedSince(0)).toHaveLength(120);
    expect(limits).toHaveBeenCalledTimes(2);
  });

  it('ends lists that GitHub never sends', async () => {
    github.isSilent = true;
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => limit(50));
    await expect(tracker.closedSince(0)).rejects.toThrow(
      TrackerOutcomeUnknownError,
    );
    await expect(tracker.find('none', { since: 0 })).rejects.toThrow(
      TrackerOutcomeUnknownError,
    );
  });
});
