import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import {
  clientOf,
  startSpaceMetrics,
} from './__testUtils__/startSpaceMetrics.ts';
import { spaceMetrics } from './service.ts';

describe.each(testDatabaseClients())('two replicas on %s', databaseClient => {
  it.each([1, 3])(
    'count together, and each event once (minimum group size %i)',
    async minimumGroupSize => {
      const { database, dispose } = await openTestDatabase(
        databaseClient,
        spaceMetrics,
      );
      const config = { privacy: { minimumGroupSize }, cacheSeconds: 0 };
      let time = Date.parse('2026-11-20T12:00:00Z');
      const now = () => time;
      const first = await startSpaceMetrics({ database, config, now });
      const second = await startSpaceMetrics({ database, config, now });
      const replicas = [first, second].map(clientOf);
      const statuses: number[] = [];
      const send = async (number: number) => {
        const [one, other] = number % 2 ? replicas : [...replicas].reverse();
        const person = `user-${number % 7}`;
        const team = `team-${number % 3}`;
        const event = {
          id: `event-${number}`,
          kind: 'commit',
          user_id: person,
          team,
        };
        const answers = await Promise.all([
          one.survey(`answering-${number}`, 4, { team }),
          one.events([event]),
          other.events([event]),
          other.get('/api/v1/metrics/space'),
          other.get(`/api/v1/metrics/space/activity?team=${team}`),
        ]);
        statuses.push(...answers.map(({ status }) => status));
      };
      await Promise.all(
        Array.from({ length: 60 }, (_, number) => send(number)),
      );
      expect([...new Set(statuses)].sort()).toEqual([200, 201]);
      // If small groups are hidden, numbers appear once the cycle is over.
      time += 14 * 86_400_000;
      for (const client of replicas) {
        const { body } = await client.get('/api/v1/metrics/space/activity');
        // In released numbers, people count in each of their teams.
        const people = minimumGroupSize === 1 ? 7 : 21;
        expect(body.data.samples).toMatchObject({ people, commits: 60 });
        const { body: all } = await client.get('/api/v1/metrics/space');
        expect(all.metrics.satisfaction).toEqual({
          enps_score: 0,
          avg_rating: 4,
          response_count: 60,
        });
      }
      // One replica deletes a person while the other accepts submissions.
      const outcomes = await Promise.all([
        replicas[0].send('DELETE', '/api/v1/people/user-1'),
        ...Array.from({ length: 10 }, () => replicas[1].survey('user-1', 5)),
        replicas[1].send('DELETE', '/api/v1/people/user-1'),
      ]);
      expect(outcomes.every(({ status }) => status < 300)).toBe(true);
      await first.stop();
      await second.stop();
      await dispose();
    },
  );
});
