import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import { startBuildServer } from '../__testUtils__/startBuildServer.ts';
import type { Build, BuildStep } from '../builds/Build.ts';
import { reportBuilds } from './reportBuilds.ts';

it('reports builds and deployments to the lake, and results to the SPACE metrics', async () => {
  const received: {
    path: string;
    headers: IncomingHttpHeaders;
    body: { type?: string } & Record<string, unknown>;
  }[] = [];
  const receiver = createServer(async (request, response) => {
    const body = JSON.parse(await text(request));
    received.push({ path: request.url!, headers: request.headers, body });
    response.end('{}');
  });
  await new Promise<void>(resolve => {
    receiver.listen(0, '127.0.0.1', resolve);
  });
  const baseUrl = `http://127.0.0.1:${
    (receiver.address() as AddressInfo).port
  }`;
  const server = await startBuildServer({
    jobs: [
      {
        name: 'deploy',
        owner: 'group:default/payments',
        parameters: [{ name: 'ENVIRONMENT' }, { name: 'VERSION' }],
        deployment: {
          service: 'payments-api',
          environmentFrom: 'ENVIRONMENT',
          versionFrom: 'VERSION',
          version: '2.{number}',
        },
        steps: [{ name: 'Deploy', run: '[ "$VERSION" != broken ]' }],
      },
    ],
    config: {
      portal: { baseUrl, appUrl: 'http://portal' },
      portalToken: 'a-service-token',
      spaceMetrics: { baseUrl, apiKey: 'a-space-key' },
    },
  });
  const client = new BuildClient(server.url);
  await client.build('deploy', { ENVIRONMENT: 'prod', VERSION: '1.4.2' });
  await client.build('deploy', { ENVIRONMENT: 'prod', VERSION: 'broken' });
  await client.build('deploy', { ENVIRONMENT: 'prod', VERSION: '' });
  await vi.waitFor(() => expect(received).toHaveLength(8));
  const events = received.filter(({ path }) => path.endsWith('/events'));
  const lake = events.filter(({ path }) => path.startsWith('/api/delivery'));
  for (const { headers } of lake) {
    expect(headers).toMatchObject({
      authorization: 'Bearer a-service-token',
      'content-type': 'application/cloudevents+json',
    });
  }
  const byType = (type: string) =>
    lake.filter(({ body }) => body.type?.startsWith(`dev.cdevents.${type}.`));
  expect(byType('service.deployed').map(({ body }) => body)).toEqual([
    expect.objectContaining({
      specversion: '1.0',
      id: 'deploy-1-service',
      data: expect.objectContaining({
        subject: expect.objectContaining({
          id: 'payments-api',
          content: expect.objectContaining({ environment: { id: 'prod' } }),
        }),
        customData: expect.objectContaining({
          version: '1.4.2',
          deploymentId: 'deploy#1',
          url: 'http://portal/builds/deploy/1',
        }),
      }),
    }),
    expect.objectContaining({
      id: 'deploy-3-service',
      data: expect.objectContaining({
        customData: expect.objectContaining({ version: '2.3' }),
      }),
    }),
  ]);
  const outcomes = byType('pipelinerun.finished').map(
    ({ body }) =>
      (body.data as { subject: { content: { outcome: string } } }).subject
        .content.outcome,
  );
  expect(outcomes.sort()).toEqual(['failure', 'success', 'success']);
  const space = received.filter(({ path }) => path.startsWith('/api/v1'));
  expect(space.map(({ headers }) => headers['x-api-key'])).toEqual([
    'a-space-key',
    'a-space-key',
    'a-space-key',
  ]);
  expect(space.flatMap(({ body }) => body.events as object[])).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        id: 'deploy#1',
        kind: 'build',
        result: 'SUCCESS',
        team: 'group:default/payments',
      }),
    ]),
  );
  await server.stop();
  receiver.close();
});

/** Returns the CDEvents of a build whose second step deploys, reduced to the fields that the lake reads. */
async function eventsOf(build: Partial<Build>) {
  const events: CdEvent[] = [];
  const tell = reportBuilds(
    {
      config: { listen: { host: '127.0.0.1', port: 8200 } },
      portal: { baseUrl: 'http://portal', appUrl: 'http://portal' },
      outbox: {
        enqueue: async (_trx: unknown, { name, payload }: Message) => {
          events.push(...(name === 'build.cdevent' ? [payload] : []));
        },
      },
    } as never,
    {
      jobs: {
        findOfBuild: () => ({
          name: 'shop',
          steps: [],
          deployment: { service: 'cart', environment: 'prod', step: 'Deploy' },
        }),
      } as never,
    },
  );
  await tell(
    {} as never,
    {
      ...{ job: 'shop', number: 7, parameters: {}, source: null },
      ...{ queuedAt: 1, startedAt: 1, finishedAt: 9, triggeredBy: null },
      ...build,
    } as Build,
  );
  return events.map(({ type, time, data }) => [
    type.split('.')[2],
    data.subject.content.outcome ?? data.subject.content.environment?.id,
    data.customData.service ?? null,
    ...[data.customData.startedAt, time].map(Date.parse),
  ]);
}

interface Message {
  name: string;
  payload: CdEvent;
}

interface CdEvent {
  type: string;
  time: string;
  data: {
    subject: {
      content: { outcome?: string; environment?: { id: string } };
    };
    customData: { service?: string; startedAt: string };
  };
}

const stepOf = (name: string, state: BuildStep['state']): BuildStep => ({
  ...{ name, state, message: null },
  startedAt: state === 'skipped' ? null : 3,
  finishedAt: state === 'skipped' ? null : 4,
});

it.each([
  ['succeeds', 'SUCCESS', 'done', 'done', [['success', 'cart'], 'deployed']],
  ['fails', 'FAILURE', 'failed', 'skipped', [['failure', 'cart']]],
  ['is stopped', 'ABORTED', 'failed', 'pending', [['cancel', 'cart']]],
  ['is skipped', 'SUCCESS', 'skipped', 'done', [['success', null]]],
  [
    'succeeds before another one fails',
    ...(['FAILURE', 'done', 'failed'] as const),
    [['failure', null], 'deployed'],
  ],
] as const)(
  'reports a deployment by the step that deploys: it %s',
  async (_what, result, deploy, after, expected) => {
    expect(
      await eventsOf({
        result,
        steps: [
          stepOf('Test', 'done'),
          stepOf('Deploy', deploy),
          stepOf('Check', after),
        ],
      }),
    ).toEqual(
      expected.map(one =>
        one === 'deployed'
          ? ['service', 'prod', 'cart', 3, 4]
          : ['pipelinerun', ...one, 1, 9],
      ),
    );
  },
);

it('keeps the time of a deployment within that of its build', async () => {
  const late = { ...stepOf('Deploy', 'done'), startedAt: 0, finishedAt: 99 };
  expect((await eventsOf({ result: 'SUCCESS', steps: [late] }))[1]).toEqual([
    ...['service', 'prod', 'cart', 1, 9],
  ]);
});
