import { fakeLogger } from '@slipway/service-kit/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  BOT_USER,
  FakeSlack,
  SLACK_SECRET,
  SLACK_TOKEN,
} from '../../__testUtils__/FakeSlack.ts';
import { patient } from '@slipway/dev-runner/src/patience.ts';
import type { Reply } from '../FeedbackBot.ts';
import { SlackBot } from './SlackBot.ts';

let slack: FakeSlack;
let server: Server;
let url: string;

beforeEach(async () => {
  slack = new FakeSlack();
  const bot = new SlackBot({
    bot: {
      async handle(_message: unknown, reply: Reply) {
        await reply('Thanks');
        return true;
      },
    },
    token: SLACK_TOKEN,
    signingSecret: SLACK_SECRET,
    apiUrl: await slack.start(),
    logger: fakeLogger().logger,
    timeoutMs: patient(1_000),
  });
  server = createServer((request, response) => {
    bot.receiver.requestListener(request, response);
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await slack.stop();
});

const direct = {
  type: 'message',
  channel_type: 'im',
  user: 'U1',
  channel: 'D1',
  ts: '1.5',
  text: 'The build is slow',
};

it('determines its user once Slack is available', async () => {
  slack.isDown = true;
  expect((await slack.send(url, direct)).ok).toBe(false);
  slack.isDown = false;
  expect((await slack.send(url, direct)).status).toBe(200);
  // A message from the bot itself.
  await slack.send(url, { ...direct, user: BOT_USER }, { eventId: 'Ev2' });
  expect(slack.posted).toHaveLength(1);
});

it('retries once if Slack is not responding', async () => {
  slack.silences = 1;
  expect((await slack.send(url, direct)).status).toBe(200);
  expect(slack.posted).toHaveLength(1);
});

it('makes Slack resend an event that it cannot answer, within seconds', async () => {
  slack.silences = 2;
  expect((await slack.send(url, direct)).status).toBe(500);
  expect((await slack.send(url, direct)).status).toBe(200);
  expect(slack.posted).toHaveLength(1);
});

it("does not delay Slack's request for a long Retry-After", async () => {
  slack.retryAfter = 60;
  slack.refusals.push(429);
  expect((await slack.send(url, direct)).status).toBe(500);
  expect(slack.posted).toEqual([]);
});
