import { spawnSync } from 'node:child_process';
import type { Service } from '@slipway/service-kit';
import { openTestDatabase } from '@slipway/service-kit/testing';
import {
  clientOf,
  startSpaceMetrics,
} from '../__testUtils__/startSpaceMetrics.ts';
import { spaceMetrics } from '../service.ts';

// Included in Debian's package prometheus.
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

let service: Service;

beforeEach(async () => {
  service = await startSpaceMetrics({
    config: { exposition: { everySeconds: 0 } },
  });
  const client = clientOf(service);
  await client.survey('ada', 5, { team: 'red' });
  await client.events([
    { id: '1', kind: 'commit', user_id: 'ada', team: 'red' },
    { id: '2', kind: 'chat_message', user_id: 'ada', team: 'red', count: 4 },
  ]);
  await client.send('POST', '/api/v1/cognitive-load/submit', {
    user_id: 'ada',
    team: 'red',
    task: 'A task',
    scores: {
      mental_demand: 60,
      physical_demand: 60,
      temporal_demand: 60,
      performance: 60,
      effort: 60,
      frustration: 60,
    },
  });
});

afterEach(() => service.stop());

it('exposes the numbers of the contract by team', async () => {
  await vi.waitFor(async () => {
    const { body, headers } = await service.app.inject('/metrics');
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    for (const line of [
      '# TYPE space_metrics_satisfaction_enps gauge',
      'space_metrics_satisfaction_enps{team="red"} 100',
      'space_metrics_satisfaction_enps{team="all"} 100',
      '# TYPE space_metrics_performance_deployment_frequency gauge',
      '# TYPE space_metrics_activity_commits_total counter',
      'space_metrics_activity_commits_total{team="red"} 1',
      'space_metrics_communication_messages_total{team="red"} 4',
      'space_metrics_efficiency_cognitive_load{team="red"} 60',
    ]) {
      expect(body).toContain(line);
    }
    // Deployments are unknown, which is not the same as none.
    expect(body).not.toContain('deployment_frequency{');
  });
});

describe.skipIf(!hasPromtool)('promtool', () => {
  it('finds no problems in the exposition', async () => {
    const { body } = await service.app.inject('/metrics');
    const own = body.split('\n').filter(line => /space_metrics_/.test(line));
    const check = spawnSync('promtool', ['check', 'metrics'], {
      input: `${own.join('\n')}\n`,
      encoding: 'utf8',
    });
    expect(check.stderr + check.stdout).toBe('');
    expect(check.status).toBe(0);
  });
});

it('exposes the other metrics while the database is down', async () => {
  const { database, dispose } = await openTestDatabase('sqlite', spaceMetrics);
  const broken = await startSpaceMetrics({ database });
  const counted = vi
    .spyOn(database.knex.client, 'acquireConnection')
    .mockRejectedValue(new Error('Unable to acquire a connection'));
  const { statusCode, body } = await broken.app.inject('/metrics');
  counted.mockRestore();
  expect(statusCode).toBe(200);
  expect(body).toContain('process_cpu_seconds_total');
  await broken.stop();
  await dispose();
});
