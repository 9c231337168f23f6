import { readersDays } from './answers';

const period = { startDate: '2026-11-01', endDate: '2026-11-20' };

afterEach(() => {
  vi.unstubAllEnvs();
});

it.each([
  ['UTC', '2026-11-01T00:00:00.000Z', '2026-11-20T23:59:59.999Z'],
  // Daylight saving time ends on the first day.
  ['America/New_York', '2026-11-01T04:00:00.000Z', '2026-11-21T04:59:59.999Z'],
  ['Asia/Tokyo', '2026-10-31T15:00:00.000Z', '2026-11-20T14:59:59.999Z'],
])('begins and ends days as they do in %s', (zone, start, end) => {
  vi.stubEnv('TZ', zone);
  expect(readersDays(period)).toEqual({ start_date: start, end_date: end });
});
