import { mockApis } from '@backstage/frontend-test-utils';
import { waitFor } from '@testing-library/dom';
import { EventSender, type OutgoingEvent } from './EventSender';
import { SlipwayAnalytics } from './SlipwayAnalytics';

const context = { pluginId: 'catalog', extensionId: 'page:catalog' };
const identityApi = mockApis.identity({
  userEntityRef: 'user:default/ada',
  email: 'ada@example.org',
});

it('says which page, and who by a hash alone', async () => {
  const sent: OutgoingEvent[] = [];
  const analytics = new SlipwayAnalytics({
    identityApi,
    sender: { add: event => sent.push(event) },
  });
  analytics.captureEvent({
    action: 'navigate',
    subject: '/catalog?search=secret#top',
    context,
  });
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({
    event: '$pageview',
    properties: { $pathname: '/catalog', plugin: 'catalog' },
  });
  expect(JSON.stringify(sent)).not.toMatch(/ada|secret|example/);
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

  it('waits for more, and keeps what was refused under its uuid', async () => {
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

  it('hands over what is left when the reader leaves', async () => {
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
