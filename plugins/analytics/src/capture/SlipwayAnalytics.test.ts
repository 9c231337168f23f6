import { mockApis } from '@backstage/frontend-test-utils';
import { waitFor } from '@testing-library/dom';
import { EventSender, type OutgoingEvent } from './EventSender';
import { SlipwayAnalytics } from './SlipwayAnalytics';

const context = { pluginId: 'catalog', extensionId: 'page:catalog' };
const view = (path: string) => ({
  action: 'navigate',
  subject: path,
  context,
});

it('reports the page, and the user only by the pseudonym of the service', async () => {
  const asked: string[] = [];
  const bodies: string[] = [];
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    bodies.push(String(init.body));
    return new Response('{}');
  });
  const analytics = SlipwayAnalytics.fromConfig({
    configApi: mockApis.config({
      data: {
        app: {
          analytics: { slipway: { host: 'http://a', projectKey: 'phc_key' } },
        },
      },
    }),
    discoveryApi: { getBaseUrl: async id => `http://portal/api/${id}` },
    fetchApi: {
      fetch: async input => {
        asked.push(String(input));
        return Response.json({ distinct_id: 'pseudonym' });
      },
    },
  });
  analytics.captureEvent(view('/catalog?search=secret#top'));
  // The maximum number of events per request.
  Array.from({ length: 19 }, () => analytics.captureEvent(view('/docs')));
  await waitFor(() => expect(bodies).toHaveLength(1));
  vi.unstubAllGlobals();
  expect(asked).toEqual(['http://portal/api/proxy/analytics/api/pseudonym']);
  expect(JSON.parse(bodies[0]).batch).toMatchObject([
    {
      event: '$pageview',
      distinct_id: 'pseudonym',
      properties: { $pathname: '/catalog', plugin: 'catalog' },
    },
    ...Array.from({ length: 19 }, () => ({
      distinct_id: 'pseudonym',
      properties: { $pathname: '/docs' },
    })),
  ]);
  expect(bodies[0]).not.toMatch(/user:|secret|example/);
});

it('requests the pseudonym again if there was none, and sends nothing without it', async () => {
  const sent: OutgoingEvent[] = [];
  let fails = true;
  const analytics = new SlipwayAnalytics({
    sender: { add: event => sent.push(event) },
    askPseudonym: async () => {
      if (fails) {
        throw new Error('Nobody is signed in');
      }
      return 'pseudonym';
    },
  });
  analytics.captureEvent(view('/first'));
  await new Promise(resolve => {
    setTimeout(resolve, 0);
  });
  fails = false;
  analytics.captureEvent(view('/second'));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({
    distinct_id: 'pseudonym',
    properties: { $pathname: '/second' },
  });
});

it('reports where a link leads, without its query and fragment', async () => {
  const sent: OutgoingEvent[] = [];
  const analytics = new SlipwayAnalytics({
    sender: { add: event => sent.push(event) },
    askPseudonym: async () => 'pseudonym',
  });
  analytics.captureEvent({
    action: 'click',
    subject: 'Checkout',
    attributes: {
      to: '/flags/playground?userId=secret#secret',
      external: false,
    },
    context,
  });
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0].properties).toMatchObject({
    subject: 'Checkout',
    to: '/flags/playground',
    external: false,
  });
});

describe('sending', () => {
  const fetched: string[] = [];
  let status = 200;

  beforeEach(() => {
    fetched.length = 0;
    status = 200;
    vi.useFakeTimers();
    vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
      fetched.push(String(init.body));
      return new Response('{}', { status });
    });
  });

  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  const event = { event: 'a', distinct_id: 'b', properties: {} };
  const sender = () =>
    new EventSender({ host: 'http://analytics/', projectKey: 'phc_key' });

  it('batches events, and retries failed ones with the same uuid', async () => {
    const own = sender();
    own.add(event);
    own.add(event);
    expect(fetched).toEqual([]);
    status = 503;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(fetched).toHaveLength(1);
    status = 200;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(fetched).toHaveLength(2);
    const [first, second] = fetched.map(body => JSON.parse(body));
    expect(second.batch).toEqual(first.batch);
    expect(first).toMatchObject({ api_key: 'phc_key' });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fetched).toHaveLength(2);
  });

  it('sends the remaining events when the user leaves the page', async () => {
    const beacons: string[] = [];
    Object.defineProperty(navigator, 'sendBeacon', {
      configurable: true,
      value: (url: string) => beacons.push(url) > 0,
    });
    sender().add(event);
    window.dispatchEvent(new Event('pagehide'));
    expect(beacons).toEqual(['http://analytics/batch/']);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fetched).toEqual([]);
  });
});
