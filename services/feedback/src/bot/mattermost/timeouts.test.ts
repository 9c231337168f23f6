import { fakeLogger } from '@slipway/service-kit/testing';
import {
  FakeMattermost,
  MATTERMOST_TOKEN,
} from '../../__testUtils__/FakeMattermost.ts';
import type { Reply } from '../FeedbackBot.ts';
import { MattermostBot } from './MattermostBot.ts';

let mattermost: FakeMattermost;
let bot: MattermostBot;

beforeEach(async () => {
  mattermost = new FakeMattermost();
  bot = new MattermostBot({
    bot: {
      async handle(_message: unknown, reply: Reply) {
        await reply('Thanks');
        return true;
      },
    },
    url: await mattermost.start(),
    token: MATTERMOST_TOKEN,
    logger: fakeLogger().logger,
    timeoutMs: 1_000,
  });
});

afterEach(() => mattermost.stop());

it('does not wait for a server that does not respond', async () => {
  mattermost.isSilent = true;
  await expect(bot.start()).rejects.toThrow(/timeout/i);
  mattermost.isSilent = false;
  // On a busy machine, the server may miss a time limit as well.
  await vi.waitFor(() => bot.start());
  await vi.waitUntil(() => mattermost.isConnected);
  await bot.stop();
});

it('stops even if the server never responds', async () => {
  await vi.waitFor(() => bot.start());
  await vi.waitUntil(() => mattermost.isConnected);
  mattermost.isSilent = true;
  mattermost.post({ id: 'p1', message: '@feedback help' });
  await vi.waitFor(() =>
    expect(mattermost.requests).toContain('POST /api/v4/posts'),
  );
  await bot.stop();
  expect(mattermost.created).toEqual([]);
});
