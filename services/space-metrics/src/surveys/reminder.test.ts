import type { Service } from '@slipway/service-kit';
import {
  clientOf,
  startSpaceMetrics,
} from '../__testUtils__/startSpaceMetrics.ts';

const START = Date.parse('2026-11-20T12:00:00Z');
const DAY_MS = 86_400_000;
const PATH = '/api/v1/surveys/pulse/reminder';

let now: number;
let service: Service;
let client: ReturnType<typeof clientOf>;

beforeEach(async () => {
  now = START;
  service = await startSpaceMetrics({ now: () => now });
  client = clientOf(service);
});

afterEach(() => service.stop());

const reminder = async () => (await client.get(`${PATH}?user_id=ada`)).body;

it('is due for people who never answered, then after an interval', async () => {
  expect(await reminder()).toMatchObject({
    due: true,
    last_answered_at: null,
    cadence_days: 14,
  });
  await client.survey('ada', 4);
  expect(await reminder()).toMatchObject({
    due: false,
    due_at: '2026-12-04T12:00:00.000Z',
    last_answered_at: '2026-11-20T12:00:00.000Z',
  });
  now += 14 * DAY_MS;
  expect(await reminder()).toMatchObject({ due: true });
});

it('waits for the end of a snooze, and is never due after opting out', async () => {
  const { status, body } = await client.send('PUT', PATH, {
    user_id: 'ada',
    snoozed_until: '2026-11-22T00:00:00Z',
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    due: false,
    due_at: '2026-11-22T00:00:00.000Z',
  });
  now += 3 * DAY_MS;
  expect(await reminder()).toMatchObject({ due: true });
  await client.send('PUT', PATH, { user_id: 'ada', opted_out: true });
  expect(await reminder()).toMatchObject({
    due: false,
    due_at: null,
    opted_out: true,
  });
  await client.send('PUT', PATH, {
    user_id: 'ada',
    opted_out: false,
    snoozed_until: null,
  });
  expect(await reminder()).toMatchObject({ due: true, snoozed_until: null });
});

it('says when the survey closes, at midnight in the time zone', async () => {
  expect(await reminder()).toMatchObject({
    closes_at: '2026-11-23T00:00:00.000Z',
  });
  now = Date.parse('2026-11-23T00:00:00Z');
  expect(await reminder()).toMatchObject({
    closes_at: '2026-12-07T00:00:00.000Z',
  });
  const berlin = await startSpaceMetrics({
    now: () => now,
    config: { timeZone: 'Europe/Berlin' },
  });
  const { body } = await clientOf(berlin).get(`${PATH}?user_id=ada`);
  expect(body).toMatchObject({ closes_at: '2026-12-06T23:00:00.000Z' });
  await berlin.stop();
});

it('requires a user', async () => {
  expect((await client.get(PATH)).status).toBe(400);
  const never = { user_id: 'ada', snoozed_until: '2099-01-01' };
  expect((await client.send('PUT', PATH, never)).status).toBe(400);
});
