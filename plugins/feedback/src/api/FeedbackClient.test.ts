import { ResponseError } from '@backstage/errors';
import { mockApis } from '@backstage/frontend-test-utils';
import { FeedbackClient } from './FeedbackClient';

function clientAnswering(answer: () => Response) {
  const sent: { url: URL; init?: RequestInit }[] = [];
  const client = new FeedbackClient({
    discoveryApi: mockApis.discovery({ baseUrl: 'http://portal' }),
    fetchApi: {
      fetch: async (input, init) => {
        sent.push({ url: new URL(String(input)), init });
        return answer();
      },
    },
  });
  return { client, sent };
}

describe('FeedbackClient', () => {
  it('sends filters through the proxy, and reads a page', async () => {
    const { client, sent } = clientAnswering(() =>
      Response.json({
        feedback: [
          {
            id: 'fb_1',
            rating: 2,
            category: 'CI/CD',
            message: 'It hangs',
            sentiment: 'negative',
            status: 'new',
            created_at: '2026-11-20T12:00:00.000Z',
            user: { name: 'Lin', email: null, verified: false },
          },
        ],
        pagination: { page: 2, per_page: 25, total: 26, total_pages: 2 },
      }),
    );
    const found = await client.list(
      {
        status: 'new',
        category: 'CI/CD',
        rating: '',
        sentiment: '',
        q: '',
        startDate: '2026-11-01',
        endDate: '2026-11-20',
      },
      2,
    );
    const { url } = sent[0];
    expect(url.origin + url.pathname).toMatch(
      /^http:\/\/portal\/.*proxy\/feedback\/api\/v1\/feedback$/,
    );
    expect(Object.fromEntries(url.searchParams)).toEqual({
      status: 'new',
      category: 'CI/CD',
      start_date: new Date(2026, 10, 1).toISOString(),
      end_date: new Date(2026, 10, 20, 23, 59, 59, 999).toISOString(),
      page: '2',
      per_page: '25',
    });
    expect(found).toMatchObject({
      items: [{ id: 'fb_1', userName: 'Lin', isUserVerified: false }],
      page: 2,
      total: 26,
    });
  });

  it('sends the values of the form', async () => {
    const { client, sent } = clientAnswering(() =>
      Response.json({ id: 'fb_2' }, { status: 201 }),
    );
    const { id, isScreenshotStored } = await client.submit({
      rating: 4,
      category: 'Other',
      message: 'Nice',
      page: '/catalog',
      isAnonymous: true,
    });
    expect(id).toBe('fb_2');
    expect(isScreenshotStored).toBe(true);
    expect(sent[0].init?.method).toBe('POST');
    expect(JSON.parse(String(sent[0].init?.body))).toEqual({
      rating: 4,
      category: 'Other',
      message: 'Nice',
      context: { page: '/catalog' },
      user: { anonymous: true },
    });
  });

  it('reads what it is told about the space for screenshots', async () => {
    const asked = clientAnswering(() =>
      Response.json({
        categories: ['Other'],
        may_triage: true,
        screenshots: { bytes: 90, quota_bytes: 100 },
      }),
    );
    expect(await asked.client.getOptions()).toEqual({
      categories: ['Other'],
      mayTriage: true,
      screenshots: { used: 90, quota: 100 },
    });
    const { client } = clientAnswering(() =>
      Response.json({ id: 'fb_2', screenshot_stored: false }),
    );
    const receipt = await client.submit({
      rating: 4,
      category: 'Other',
      message: 'Nice',
      page: '/catalog',
      isAnonymous: false,
    });
    expect(receipt).toEqual({ id: 'fb_2', isScreenshotStored: false });
  });

  it('sends and reads replies', async () => {
    const { client, sent } = clientAnswering(() =>
      Response.json({
        id: 'fb_1',
        rating: 2,
        category: 'CI/CD',
        message: 'It hangs',
        sentiment: 'negative',
        status: 'new',
        created_at: '2026-11-20T12:00:00.000Z',
        user: { name: 'Lin', email: null, verified: true },
        context: { page: null, component: null },
        screenshot_url: null,
        tracker_issue: null,
        reply_count: 1,
        awaits_reply: true,
        may_reply: true,
        is_own: true,
        replies: [
          {
            id: 'rp_1',
            message: 'Since Monday',
            internal: false,
            author: { name: 'Lin', is_sender: true },
            created_at: '2026-11-20T13:00:00.000Z',
            may_delete: false,
          },
        ],
      }),
    );
    expect(await client.get('fb_1')).toMatchObject({
      replyCount: 1,
      awaitsReply: true,
      mayReply: true,
      isOwn: true,
      replies: [
        {
          id: 'rp_1',
          message: 'Since Monday',
          isInternal: false,
          authorName: 'Lin',
          isFromSender: true,
          createdAt: '2026-11-20T13:00:00.000Z',
          mayDelete: false,
        },
      ],
    });
    await client.addReply('fb_1', {
      message: 'Seen it',
      isInternal: true,
      idempotencyKey: 'once',
    });
    await client.deleteReply('fb_1', 'rp_1');
    await client.list({ replies: 'awaited' }, 1).catch(() => undefined);
    const [, added, deleted, listed] = sent;
    expect(added.url.pathname).toMatch(/\/feedback\/fb_1\/replies$/);
    expect(added.init?.method).toBe('POST');
    expect(JSON.parse(String(added.init?.body))).toEqual({
      message: 'Seen it',
      internal: true,
      idempotency_key: 'once',
    });
    expect(deleted.url.pathname).toMatch(/\/feedback\/fb_1\/replies\/rp_1$/);
    expect(deleted.init?.method).toBe('DELETE');
    expect(listed.url.searchParams.get('awaits_reply')).toBe('true');
    expect(listed.url.searchParams.has('replies')).toBe(false);
  });

  it('sends and reads votes', async () => {
    const ballot = {
      id: 'fb_1',
      title: 'A faster search',
      category: 'Other',
      status: 'new',
      votes: 2,
      voted: true,
      open: true,
      opened_at: '2026-11-20T12:00:00.000Z',
      public_note: { text: 'Soon', written_at: '2026-11-20T12:30:00.000Z' },
    };
    const { client, sent } = clientAnswering(() =>
      Response.json({
        feedback: [ballot],
        votes: [
          { user: 'user:default/lin', voted_at: '2026-11-20T13:00:00.000Z' },
        ],
        pagination: { page: 1, per_page: 25, total: 1, total_pages: 1 },
        votes_until: '2026-11-20T14:00:00.000Z',
      }),
    );
    const votesUntil = '2026-11-20T14:00:00.000Z';
    expect(
      await client.listBallots({ q: 'fast', votesUntil }, { number: 2 }),
    ).toEqual({
      items: [
        {
          id: 'fb_1',
          title: 'A faster search',
          category: 'Other',
          status: 'new',
          votes: 2,
          hasVoted: true,
          isOpen: true,
          openedAt: '2026-11-20T12:00:00.000Z',
          note: { text: 'Soon', writtenAt: '2026-11-20T12:30:00.000Z' },
          mergedInto: null,
        },
      ],
      page: 1,
      perPage: 25,
      total: 1,
      votesUntil,
    });
    expect(await client.getVoters('fb_1', 1)).toMatchObject({
      items: [{ user: 'user:default/lin', votedAt: expect.any(String) }],
      total: 1,
    });
    await client.setVote('fb_1', true);
    await client.setVote('fb_1', false);
    await client.openVoting('fb_1', 'A faster search');
    await client.setPublicNote('fb_1', { text: 'Soon', seen: '' });
    await client.closeVoting('fb_1');
    await client.merge('fb_1', { into: 'fb_2', replyCount: 3 });
    await client.undoMerge('fb_1');
    await client.changeStatus('fb_1', {
      status: 'resolved',
      notes: '',
      replyCount: 3,
    });
    expect(Object.fromEntries(sent[0].url.searchParams)).toEqual({
      q: 'fast',
      votes_until: votesUntil,
      page: '2',
      per_page: '25',
    });
    expect(
      sent
        .slice(2)
        .map(({ url, init }) => [
          init?.method,
          url.pathname.split('/fb_1').pop(),
          init?.body,
        ]),
    ).toEqual([
      ['PUT', '/vote', undefined],
      ['DELETE', '/vote', undefined],
      ['PUT', '/voting', '{"title":"A faster search"}'],
      ['PUT', '/voting', '{"public_note":"Soon","seen_note":""}'],
      ['DELETE', '/voting', undefined],
      ['POST', '/merge', '{"into":"fb_2","reply_count":3}'],
      ['DELETE', '/merge', undefined],
      ['PUT', '/status', '{"status":"resolved","notes":"","reply_count":3}'],
    ]);
  });

  it('fails with the error of the service', async () => {
    const { client } = clientAnswering(() =>
      Response.json({ error: { message: 'Down' } }, { status: 503 }),
    );
    await expect(client.getOptions()).rejects.toThrow(ResponseError);
  });
});
