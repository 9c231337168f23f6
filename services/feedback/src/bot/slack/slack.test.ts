import type { Service } from '@slipway/service-kit';
import type { FakePortal } from '@slipway/service-kit/testing';
import {
  BOT_USER,
  FakeSlack,
  SLACK_SECRET,
  SLACK_TOKEN,
} from '../../__testUtils__/FakeSlack.ts';
import {
  clientsOf,
  startFeedback,
  startPortal,
} from '../../__testUtils__/startFeedback.ts';
import { plainText } from './SlackBot.ts';

let portal: FakePortal;
let slack: FakeSlack;
let bot: object;
let service: Service;
let url: string;

beforeEach(async () => {
  portal = await startPortal();
  slack = new FakeSlack();
  const apiUrl = await slack.start();
  bot = {
    slack: { token: SLACK_TOKEN, signingSecret: SLACK_SECRET, apiUrl },
  };
  service = await startFeedback(portal, { config: { bot } });
  url = await service.start();
});

afterEach(async () => {
  await service.stop();
  await slack.stop();
  await portal.stop();
});

const mention = {
  type: 'app_mention',
  user: 'U1',
  channel: 'C1',
  ts: '1.0',
  text: `<@${BOT_USER}> The docs &amp; guides are <https://example.org|great>`,
};
const direct = {
  type: 'message',
  channel_type: 'im',
  user: 'U1',
  channel: 'D1',
  ts: '1.5',
  text: 'The build is slow',
};

async function stored(): Promise<{ message: string }[]> {
  const { ada } = await clientsOf(service, portal);
  return (await ada.get('/api/v1/feedback')).body.feedback;
}

it('answers a mention in its thread', async () => {
  expect((await slack.send(url, mention)).status).toBe(200);
  expect(slack.posted).toMatchObject([
    {
      channel: 'C1',
      thread_ts: '1.0',
      text: expect.stringContaining('Category: Documentation'),
    },
  ]);
  expect(await stored()).toMatchObject([
    { message: 'The docs & guides are https://example.org' },
  ]);
});

it('answers a direct message in its thread', async () => {
  await slack.send(url, { ...direct, thread_ts: '0.5' });
  expect(slack.posted).toMatchObject([{ channel: 'D1', thread_ts: '0.5' }]);
});

it('accepts a message with a file', async () => {
  await slack.send(url, { ...direct, subtype: 'file_share' });
  expect(await stored()).toMatchObject([{ message: 'The build is slow' }]);
});

it('recognizes a returning author', async () => {
  await slack.send(url, direct, { eventId: 'Ev1' });
  const status = { ...mention, text: `<@${BOT_USER}> status` };
  await slack.send(url, status, { eventId: 'Ev2' });
  await slack.send(url, { ...status, user: 'U2' }, { eventId: 'Ev3' });
  expect(slack.posted[1].text).toContain('Your submissions: 1');
  expect(slack.posted[2].text).toContain('Your submissions: 0');
});

it('stores and answers a repeated event once', async () => {
  const headers = { 'x-slack-retry-num': '1' };
  const answers = await Promise.all([
    slack.send(url, direct),
    slack.send(url, direct, { headers }),
    slack.send(url, direct, { headers }),
  ]);
  answers.push(await slack.send(url, direct, { headers }));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await stored()).toHaveLength(1);
  expect(slack.posted).toHaveLength(1);
});

it('waits as long as Slack requests after a rate limit', async () => {
  slack.refusals.push(429);
  await slack.send(url, direct);
  expect(slack.posted).toHaveLength(1);
});

it.each([
  ['another bot', { ...direct, bot_id: 'B2' }],
  ['an edit', { ...direct, subtype: 'message_changed' }],
  ['itself', { ...direct, user: BOT_USER }],
  ['a channel that it is in', { ...direct, channel_type: 'channel' }],
])('ignores messages from %s', async (_, event) => {
  expect((await slack.send(url, event)).status).toBe(200);
  expect(await stored()).toEqual([]);
  expect(slack.posted).toEqual([]);
});

it('rejects requests with an invalid or outdated signature', async () => {
  const statuses = await Promise.all([
    slack.send(url, direct, { secret: 'wrong' }),
    slack.send(url, direct, { shift: -3_600 }),
    slack.send(url, direct, { shift: 3_600 }),
    slack.sendRaw(url, 'no json', { secret: 'wrong' }),
  ]);
  expect(statuses.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  expect(await stored()).toEqual([]);
});

it('limits only unsigned requests of an address', async () => {
  const limited = await startFeedback(portal, {
    config: { bot, rateLimit: { anonymousPerMinute: 2 } },
  });
  const limitedUrl = await limited.start();
  const statuses = [];
  for (const secret of ['guess', 'guess', 'guess', SLACK_SECRET]) {
    statuses.push((await slack.send(limitedUrl, direct, { secret })).status);
  }
  expect(statuses).toEqual([401, 401, 429, 200]);
  await limited.stop();
});

it("responds to Slack's challenge", async () => {
  const body = JSON.stringify({ type: 'url_verification', challenge: 'c4' });
  const answer = await slack.sendRaw(url, body);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('c4');
});

it.each([
  [`<@${BOT_USER}> hi`, 'hi'],
  [`<@${BOT_USER}>: hi`, 'hi'],
  [`hi <@${BOT_USER}>`, 'hi'],
  ['a &lt;b&gt; &amp;amp;', 'a <b> &amp;'],
  ['see <#C1|general> and <@U2>', 'see #general and @U2'],
  ['<mailto:a@b.c|a@b.c>', 'mailto:a@b.c'],
])('reads %s as %s', (text, plain) => {
  expect(plainText(text, BOT_USER)).toBe(plain);
});
