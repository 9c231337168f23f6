import { readFailedCall } from '@slipway/app-react';
import { BuildsClient } from './BuildsClient';

/** Creates a client whose requests get these responses in turn. */
function clientOf(...answers: Response[]) {
  const fetch = vi.fn(async (_url: string, _init?: RequestInit) =>
    answers.shift()!,
  );
  const client = new BuildsClient({
    discoveryApi: { getBaseUrl: async () => 'http://portal/api/proxy' },
    fetchApi: { fetch: fetch as never },
  });
  const asked = () =>
    fetch.mock.calls.map(([url, init]) => `${init?.method ?? 'GET'} ${url}`);
  return { client, asked };
}

it('queues a build again, and reads its item from the Location header', async () => {
  const { client, asked } = clientOf(
    Response.json(
      { location: 'http://elsewhere/x/queue/item/7/' },
      { status: 201 },
    ),
    Response.json({ id: 7, buildNumber: 4 }),
  );
  const item = await client.rebuild({ job: 'a/b', number: 3 });
  expect(item.buildNumber).toBe(4);
  expect(asked()).toEqual([
    'POST http://portal/api/proxy/build-server/job/a%2Fb/3/rebuild',
    'GET http://portal/api/proxy/build-server/queue/item/7/api/json',
  ]);
});

it('keeps, stops keeping and describes a build', async () => {
  const { client, asked } = clientOf(
    ...Array.from({ length: 3 }, () => new Response(null, { status: 204 })),
  );
  await client.keepBuild({ job: 'a/b', number: 3 }, 'Release');
  await client.stopKeeping({ job: 'a/b', number: 3 });
  await client.describeBuild(
    { job: 'a/b', number: 3 },
    { displayName: '2.4.0', description: '' },
  );
  expect(asked()).toEqual([
    'PUT http://portal/api/proxy/build-server/job/a%2Fb/3/kept',
    'DELETE http://portal/api/proxy/build-server/job/a%2Fb/3/kept',
    'PUT http://portal/api/proxy/build-server/job/a%2Fb/3/about',
  ]);
});

it.each([
  [
    Response.json(
      { message: 'Parameter BRANCH is required' },
      { status: 400, headers: { 'x-request-id': 'abc' } },
    ),
    { message: 'Parameter BRANCH is required', requestId: 'abc' },
  ],
  [
    Response.json(
      {
        error: { name: 'AuthenticationError', message: 'No session' },
        response: { statusCode: 401 },
      },
      { status: 401 },
    ),
    { message: 'No session' },
  ],
  [
    new Response('gone', { status: 502, statusText: 'Bad Gateway' }),
    { message: expect.stringContaining('502 Bad Gateway') },
  ],
])('tells a failure in the words of who answers', async (answer, expected) => {
  const { client } = clientOf(answer);
  const error: Error = await client.getJobs().then(
    () => new Error('It did not fail'),
    thrown => thrown,
  );
  const { message = error.message, requestId } = readFailedCall(error);
  expect({ message, requestId }).toMatchObject(expected);
});
