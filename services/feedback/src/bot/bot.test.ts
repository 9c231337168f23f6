import type { Database, Service } from '@slipway/service-kit';
import {
  type FakePortal,
  openTestDatabase,
} from '@slipway/service-kit/testing';
import { patient } from '@slipway/dev-runner/src/patience.ts';
import {
  type Client,
  clientsOf,
  startFeedback,
  startPortal,
} from '../__testUtils__/startFeedback.ts';
import { BotLedger } from '../storage/BotLedger.ts';
import { readInput } from './readInput.ts';
import { feedbackService } from '../service.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const clock = { now: NOW };

let portal: FakePortal;
let service: Service;
let clients: Awaited<ReturnType<typeof clientsOf>>;

beforeEach(async () => {
  clock.now = NOW;
  portal = await startPortal();
  service = await startFeedback(portal, { now: () => clock.now });
  clients = await clientsOf(service, portal);
});

afterEach(async () => {
  await service.stop();
  await portal.stop();
});

const say = async (client: Client, text: string, more: object = {}) =>
  (await client.post('/api/v1/bot/messages', { text, ...more })).body.reply;

it('stores a message, and replies how it was understood', async () => {
  const reply = await say(
    clients.grace,
    'The deployment pipeline is broken, we are blocked',
  );
  expect(reply).toContain('Category: CI/CD');
  expect(reply).toContain('Sentiment: negative');
  expect(reply).toContain('Priority: high');
  expect(reply).toMatch(/detail.*thread/);
  const { body } = await clients.grace.get('/api/v1/feedback/mine');
  expect(body.feedback).toMatchObject([
    {
      message: 'The deployment pipeline is broken, we are blocked',
      rating: 2,
      rating_inferred: true,
      source: 'chat',
      user: { name: 'grace' },
    },
  ]);
});

it('sums up the last 30 days', async () => {
  expect(await say(clients.grace, 'status')).toMatch(
    /Total submissions: 0\n.*Average rating: none yet\n.*Your submissions: 0\n.*none yet/,
  );
  clock.now -= 40 * 86_400_000;
  await clients.grace.submit();
  clock.now = NOW - 3 * 3_600_000;
  await clients.nobody.submit({ rating: 1 });
  const { id } = (await clients.grace.submit({ rating: 4 })).body;
  await clients.ada.move(id, 'in_progress');
  clock.now = NOW;
  expect(await say(clients.grace, ' Status ')).toBe(
    [
      'Feedback in the last 30 days:',
      '• Total submissions: 2',
      '• Average rating: 2.5 of 5',
      '• Your submissions: 1',
      '• Your most recent: UI/UX, in progress, 3 hours ago',
    ].join('\n'),
  );
});

it.each(['help', 'HELP', '', '  ', 'help!'])(
  'lists its commands for "%s"',
  async text => {
    const reply = await say(clients.grace, text);
    for (const word of ['<message>', 'status', 'help', 'Direct messages']) {
      expect(reply).toContain(word);
    }
  },
);

it.each([
  ['@feedback help', 'help'],
  ['@Feedback Help', 'help'],
  ['@feedback', 'help'],
  ['@feedback: help', 'help'],
  ['@feedback status', 'status'],
  ['@feedback, STATUS!', 'status'],
])('treats %j as the command %s, and stores nothing', async (text, command) => {
  expect(await say(clients.grace, text)).toBe(
    await say(clients.grace, command),
  );
  const { body } = await clients.ada.get('/api/v1/feedback');
  expect(body.pagination.total).toBe(0);
});

it('removes only its own mention', async () => {
  await say(clients.grace, '@feedback The search is slow');
  await say(clients.grace, '@feedback-team knows that builds hang');
  const { body } = await clients.grace.get('/api/v1/feedback/mine');
  expect(
    body.feedback.map(({ message }: { message: string }) => message).sort(),
  ).toEqual(['@feedback-team knows that builds hang', 'The search is slow']);
});

it('treats a sentence that contains a command as feedback', async () => {
  await say(clients.grace, 'status page is down');
  const { body } = await clients.ada.get('/api/v1/feedback');
  expect(body.feedback).toMatchObject([{ message: 'status page is down' }]);
});

it('rejects messages that are too long', async () => {
  expect(await say(clients.grace, 'x'.repeat(10_001))).toContain('10001');
  const { body } = await clients.ada.get('/api/v1/feedback');
  expect(body.pagination.total).toBe(0);
});

it('answers and stores the same message once', async () => {
  const more = { event_id: 'e1' };
  const replies = await Promise.all([
    say(clients.grace, 'Love it', more),
    say(clients.grace, 'Love it', more),
  ]);
  expect(replies.filter(reply => reply !== null)).toHaveLength(1);
  expect(await say(clients.grace, 'Love it', more)).toBeNull();
  // The same text from another author is another message.
  expect(await say(clients.ada, 'Love it', more)).not.toBeNull();
  const { body } = await clients.ada.get('/api/v1/feedback');
  expect(body.pagination.total).toBe(2);
});

async function rowsOf(database: Database, table: string): Promise<number> {
  return (await database.knex(table).select()).length;
}

it('does not remember messages without a key', async () => {
  const { database, dispose } = await openTestDatabase(
    'sqlite',
    feedbackService,
  );
  const other = await startFeedback(portal, { database });
  const { grace } = await clientsOf(other, portal);
  const marks = '!'.repeat(40_000);
  expect(await say(grace, marks)).toContain('status');
  expect(await say(grace, marks)).toContain('status');
  expect(await say(grace, 'Twice')).toContain('Feedback received');
  expect(await say(grace, 'Twice')).toContain('Feedback received');
  expect(await rowsOf(database, 'bot_messages')).toBe(0);
  expect(await rowsOf(database, 'feedback')).toBe(2);
  await say(grace, marks, { event_id: 'e1' });
  expect(await rowsOf(database, 'bot_messages')).toBe(1);
  await other.stop();
  await dispose();
});

it('stores a repeated message claimed by a dead process', async () => {
  const database = await openTestDatabase('sqlite', feedbackService);
  const other = await startFeedback(portal, { database: database.database });
  const { grace } = await clientsOf(other, portal);
  await new BotLedger({
    database: database.database,
    now: Date.now,
  }).claim('chat:user:default/grace:e1');
  expect(await say(grace, 'Keep this', { event_id: 'e1' })).toBeNull();
  const { body } = await grace.get('/api/v1/feedback/mine');
  expect(body.feedback).toMatchObject([{ message: 'Keep this' }]);
  await other.stop();
  await database.dispose();
});

it('counts characters like people do, and removes unstorable ones', () => {
  expect(readInput('🙂'.repeat(10_000)).kind).toBe('feedback');
  expect(readInput('🙂'.repeat(10_001))).toEqual({
    kind: 'tooLong',
    length: 10_001,
  });
  expect(readInput('a\0b')).toEqual({ kind: 'feedback', message: 'ab' });
});

it.each(['!', '?!', '. ', '/', '@feedback:', '<@'])(
  'parses 40,000 characters of %j without blocking',
  async seed => {
    const text = `${seed.repeat(40_000).slice(0, 39_999)}x`;
    const times = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const started = performance.now();
      expect(await say(clients.automation, text)).toContain('It was not saved');
      times.push(performance.now() - started);
    }
    // The fastest of three, so that the load of the machine does not matter.
    expect(Math.min(...times)).toBeLessThan(patient(400));
  },
);

it('trusts the author only from integrations with the key', async () => {
  expect(
    (await clients.nobody.post('/api/v1/bot/messages', { text: 'Hi' })).status,
  ).toBe(401);
  const user = { id: '42', name: 'Lin' };
  await say(clients.automation, 'From elsewhere', { user });
  const { body } = await clients.ada.get('/api/v1/feedback');
  expect(body.feedback[0].user.name).toBe('Lin');
  expect(await say(clients.automation, 'status', { user })).toContain(
    'Your submissions: 1',
  );
  expect(
    await say(clients.automation, 'status', { user: { id: '43' } }),
  ).toContain('Your submissions: 0');
});
