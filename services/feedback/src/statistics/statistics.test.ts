import { testDatabaseClients } from '@slipway/service-kit/testing';
import { feedbackSuite } from '../__testUtils__/feedbackSuite.ts';

describe.each(testDatabaseClients())('statistics on %s', databaseClient => {
  const suite = feedbackSuite(databaseClient);

  it('begins at the start of a day if the period ends with a date', async () => {
    const periodOf = async (query: string) =>
      (await suite.clients.nobody.get(`/api/v1/feedback/stats?${query}`)).body
        .period;
    expect(await periodOf('end_date=2026-11-20')).toEqual({
      start: '2026-10-21T00:00:00.000Z',
      end: '2026-11-20T23:59:59.999Z',
    });
    expect(await periodOf('end_date=2026-11-19T08:30:00Z')).toEqual({
      start: '2026-10-20T08:30:00.000Z',
      end: '2026-11-19T08:30:00.000Z',
    });
  });

  it('counts a response among many', async () => {
    for (let sent = 0; sent < 299; sent += 1) {
      await suite.clients.nobody.submit();
    }
    const { id } = (await suite.clients.nobody.submit()).body;
    await suite.clients.ada.move(id, 'resolved');
    const { body } = await suite.clients.nobody.get('/api/v1/feedback/stats');
    expect(body.response_rate).toBe(0.0033);
  });

  it('counts', async () => {
    const empty = await suite.clients.nobody.get('/api/v1/feedback/stats');
    expect(empty.body).toEqual({
      period: {
        start: '2026-10-21T12:00:00.000Z',
        end: '2026-11-20T12:00:00.000Z',
      },
      total_feedback: 0,
      by_rating: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 },
      by_category: {
        'UI/UX': 0,
        Performance: 0,
        Documentation: 0,
        'CI/CD': 0,
        Other: 0,
      },
      by_status: {
        new: 0,
        validated: 0,
        in_progress: 0,
        resolved: 0,
        archived: 0,
      },
      by_sentiment: { positive: 0, neutral: 0, negative: 0 },
      avg_rating: 0,
      response_rate: 0,
    });
    for (const rating of [1, 5, 5]) {
      await suite.clients.nobody.submit({ rating });
    }
    const { id } = (await suite.clients.nobody.submit({ rating: 4 })).body;
    await suite.clients.ada.move(id, 'resolved');
    const { body } = await suite.clients.nobody.get(
      '/api/v1/feedback/stats?start_date=2026-11-20&end_date=2026-11-20',
    );
    expect(body).toMatchObject({
      period: {
        start: '2026-11-20T00:00:00.000Z',
        end: '2026-11-20T23:59:59.999Z',
      },
      total_feedback: 4,
      by_rating: { 1: 1, 2: 0, 3: 0, 4: 1, 5: 2 },
      by_status: { new: 3, resolved: 1 },
      avg_rating: 3.75,
      response_rate: 0.25,
    });
    const before = await suite.clients.nobody.get(
      '/api/v1/feedback/stats?end_date=2026-11-19',
    );
    expect(before.body.total_feedback).toBe(0);
  });
});
