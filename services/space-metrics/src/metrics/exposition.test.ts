import { spawnSync } from 'node:child_process';
import type { Service } from '@slipway/service-kit';
import { openTestDatabase } from '@slipway/service-kit/testing';
import {
  clientOf,
  startSpaceMetrics,
} from '../__testUtils__/startSpaceMetrics.ts';
import { FakePortalApi } from '../__testUtils__/FakePortalApi.ts';
import { spaceMetrics } from '../service.ts';

// promtool is part of Debian's package prometheus.
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

it('exposes no value of a team without data for it', async () => {
  const client = clientOf(service);
  await client.events([
    { id: '3', kind: 'build', team: 'blue', result: 'SUCCESS' },
  ]);
  await client.survey('alan', 5, { team: 'blue' });
  await vi.waitFor(async () => {
    const { body } = await service.app.inject('/metrics');
    expect(body).toContain('space_metrics_satisfaction_enps{team="blue"} 100');
    // The delivery lake is not responding, although builds are known.
    expect(body).not.toContain('deployment_frequency{');
  });
});

it('exposes no task load of a team that delivers but has not rated any task', async () => {
  const portal = await FakePortalApi.start();
  onTestFinished(() => portal.stop());
  portal.answer('/api/delivery-lake/dora-metrics', () => ({
    metrics: {
      deploymentFrequency: { value: 2, samples: 8 },
      leadTimeForChanges: { value: 5, samples: 20 },
    },
  }));
  const delivering = await startSpaceMetrics({
    config: {
      exposition: { everySeconds: 0 },
      portal: { baseUrl: portal.baseUrl },
    },
  });
  onTestFinished(() => delivering.stop());
  await clientOf(delivering).events([
    { id: '1', kind: 'commit', user_id: 'ada', team: 'red' },
  ]);
  await vi.waitFor(async () => {
    const { body } = await delivering.app.inject('/metrics');
    expect(body).toContain('deployment_frequency{team="red"} 2');
    expect(body).not.toContain('cognitive_load{');
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
