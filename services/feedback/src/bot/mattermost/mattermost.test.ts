import type { Service } from '@slipway/service-kit';
import type { FakePortal } from '@slipway/service-kit/testing';
import {
  FakeMattermost,
  MATTERMOST_TOKEN,
  ME,
} from '../../__testUtils__/FakeMattermost.ts';
import {
  clientsOf,
  startFeedback,
  startPortal,
} from '../../__testUtils__/startFeedback.ts';

let portal: FakePortal;
let mattermost: FakeMattermost;
let service: Service;

beforeEach(async () => {
  portal = await startPortal();
  mattermost = new FakeMattermost();
  const url = await mattermost.start();
  service = await startFeedback(portal, {
    config: { bot: { mattermost: { url, token: MATTERMOST_TOKEN } } },
  });
  await service.start();
  await vi.waitUntil(() => mattermost.isConnected);
});

afterEach(async () => {
  await service.stop();
  await mattermost.stop();
  await portal.stop();
});

async function stored(): Promise<{ message: string }[]> {
  const { ada } = await clientsOf(service, portal);
  return (await ada.get('/api/v1/feedback')).body.feedback;
}

const answered = (count: number) =>
  vi.waitFor(() => expect(mattermost.created).toHaveLength(count));

it('answers mentions and direct messages in their threads', async () => {
  mattermost.post({ id: 'p1', message: '@feedback The docs are great' });
  await answered(1);
  mattermost.post(
    { id: 'p2', message: 'The build is slow', root_id: 'p0' },
    { channelType: 'D', mentions: [] },
  );
  await answered(2);
  expect(mattermost.created).toMatchObject([
    {
      channel_id: 'channel',
      root_id: 'p1',
      message: expect.stringContaining('Category: Documentation'),
    },
    { root_id: 'p0' },
  ]);
  expect(await stored()).toMatchObject([
    { message: 'The build is slow', user: { name: 'grace' } },
    { message: 'The docs are great' },
  ]);
  mattermost.post({ id: 'p3', message: '@feedback status' });
  await answered(3);
  expect(mattermost.created[2].message).toContain('Your submissions: 2');
});

it('stores and answers a repeated message once, and reconnects', async () => {
  mattermost.post({ id: 'p1', message: '@feedback help' });
  mattermost.post({ id: 'p1', message: '@feedback help' });
  await answered(1);
  mattermost.disconnect();
  await vi.waitFor(() => expect(mattermost.isConnected).toBe(true), 15_000);
  mattermost.post({ id: 'p1', message: '@feedback help' });
  mattermost.post({ id: 'p2', message: '@feedback Love it' });
  await answered(2);
  expect(await stored()).toHaveLength(1);
});

it('keeps feedback if the answer failed, and answers when it is repeated', async () => {
  mattermost.refusals.push(500);
  mattermost.post({ id: 'p1', message: '@feedback Love it' });
  await vi.waitFor(async () => expect(await stored()).toHaveLength(1));
  await vi.waitFor(() => expect(mattermost.refusals).toHaveLength(0));
  await vi.waitFor(() => {
    mattermost.post({ id: 'p1', message: '@feedback Love it' });
    expect(mattermost.created.length).toBeGreaterThan(0);
  });
  expect(await stored()).toHaveLength(1);
});

it('ignores posts that are not addressed to it', async () => {
  mattermost.post({ id: 'p1', message: 'Hello all' }, { mentions: ['other'] });
  mattermost.post({ id: 'p2', message: 'Mine', user_id: ME.id });
  mattermost.post({ id: 'p3', message: 'Bot', props: { from_bot: 'true' } });
  mattermost.post({ id: 'p4', message: 'joined', type: 'system_join_channel' });
  mattermost.post({ id: 'p5', message: '@feedback help' });
  await answered(1);
  expect(await stored()).toEqual([]);
});
