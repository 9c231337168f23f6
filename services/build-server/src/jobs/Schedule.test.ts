import { Schedule, schedulesOf } from './Schedule.ts';
import { TimeZone } from './TimeZone.ts';

const at = (text: string) => Date.parse(`${text}Z`);

/** The minutes of a day in which a schedule is due. */
function minutesOf(text: string, day: string, seed = 'job'): string[] {
  const schedule = new Schedule(text, seed);
  const start = at(`${day}T00:00:00`) - 1;
  return Array.from({ length: 1_440 }, (_, minute) => start + minute * 60_000)
    .map(time => schedule.lastDue(time, time + 60_000))
    .filter(time => time !== undefined)
    .map(time => new Date(time).toISOString().slice(11, 16));
}

it.each([
  ['30 4 * * *', '2026-11-20', ['04:30']],
  ['0,30 8-9 * * 1-5', '2026-11-20', ['08:00', '08:30', '09:00', '09:30']],
  ['0 8 * * 1-5', '2026-11-22', []],
  ['0 8 * * 0', '2026-11-22', ['08:00']],
  ['0 8 * * 7', '2026-11-22', ['08:00']],
  ['0 */12 * * *', '2026-11-20', ['00:00', '12:00']],
  ['0 8 13 * 5', '2026-11-20', ['08:00']],
  ['0 8 31 2 *', '2026-02-28', []],
])('%s is due on %s at %j', (text, day, expected) => {
  expect(minutesOf(text, day)).toEqual(expected);
});

it('spreads jobs by their names, and each the same every day', () => {
  const first = minutesOf('H H(0-2) * * *', '2026-11-20', 'one');
  expect(first).toHaveLength(1);
  expect(first[0]).toMatch(/^0[0-2]:/);
  expect(minutesOf('H H(0-2) * * *', '2026-11-21', 'one')).toEqual(first);
  const all = ['a', 'b', 'c', 'd', 'e'].map(
    name => minutesOf('H 4 * * *', '2026-11-20', name)[0],
  );
  expect(new Set(all).size).toBeGreaterThan(1);
  expect(minutesOf('H/15 * * * *', '2026-11-20')).toHaveLength(96);
  expect(minutesOf('@hourly', '2026-11-20')).toHaveLength(24);
});

it('makes up for the last time that was missed alone', () => {
  const schedule = new Schedule('0 * * * *', 'job');
  const [from, to] = [at('2026-11-20T03:30:00'), at('2026-11-22T10:15:00')];
  expect(schedule.lastDue(from, to)).toBe(at('2026-11-22T10:00:00'));
  expect(schedule.lastDue(at('2026-11-22T10:00:30'), to)).toBeUndefined();
});

it.each([
  ['*/15 * * * *', '2026-11-20T03:30:00', '2026-11-20T03:45:00'],
  ['0 4 * * 1-5', '2026-11-20T04:00:00', '2026-11-23T04:00:00'],
  ['0 0 29 2 *', '2026-11-20T00:00:00', '2028-02-29T00:00:00'],
])('%s is due next after %s at %s', (text, after, expected) => {
  expect(new Schedule(text, 'job').nextDue(at(after))).toBe(at(expected));
});

it('is never due on a day that no month has', () => {
  expect(new Schedule('0 8 31 2 *', 'job').nextDue(0)).toBeUndefined();
});

it.each([
  '* * * *',
  '60 * * * *',
  'x * * * *',
  '*/0 * * * *',
  '5-2 * * * *',
  'H(5-70) * * * *',
])('takes %s for no schedule', text => {
  expect(() => new Schedule(text, 'job')).toThrow();
});

/**
 * The times of a UTC day at which a schedule in Berlin's time zone is due, as the server checks it.
 */
function dueInBerlin(text: string, day: string): string[] {
  const schedule = new Schedule(text, 'job', new TimeZone('Europe/Berlin'));
  const due: number[] = [];
  const start = at(`${day}T00:00:00`);
  for (let time = start; time < start + 86_400_000; time += 5_000) {
    const found = schedule.lastDue(time - 5_000, time);
    due.push(...(found === undefined ? [] : [found]));
  }
  return due.map(time => new Date(time).toISOString().slice(11, 16));
}

it.each([
  ['0 4 * * *', '2026-07-01', ['02:00']],
  ['0 4 * * *', '2026-12-01', ['03:00']],
  // Saturday begins on Friday evening.
  ['30 0 * * 6', '2026-11-20', ['23:30']],
  ['0 0 1 * *', '2026-10-31', ['23:00']],
  // 2:30 does not exist, then it exists twice.
  ['30 2 * * *', '2026-03-29', ['01:30']],
  ['30 2 * * *', '2026-10-25', ['00:30']],
  ['0 1-3 * * *', '2026-10-25', ['00:00', '02:00']],
])('%s in Berlin is due on %s at %j', (text, day, expected) => {
  expect(dueInBerlin(text, day)).toEqual(expected);
});

it('is due every hour on the days on which clocks change', () => {
  for (const day of ['2026-03-29', '2026-10-25']) {
    expect(dueInBerlin('0 * * * *', day)).toHaveLength(24);
  }
});

it('says when it is due next by the clock of its time zone', () => {
  const [schedule] = schedulesOf({
    ...{ name: 'job', schedule: ['30 2 * * 1-5'], timeZone: 'Europe/Berlin' },
  });
  for (const [after, next] of [
    ['2026-03-26T01:30:00', '2026-03-27T01:30:00'],
    ['2026-03-27T01:30:00', '2026-03-30T00:30:00'],
    ['2026-10-23T00:30:00', '2026-10-26T01:30:00'],
  ]) {
    expect(schedule.nextDue(at(after))).toBe(at(next));
  }
});

it('says that it is due next in an hour that is repeated', () => {
  const zone = new TimeZone('Europe/Berlin');
  const next = (text: string, after: string) =>
    new Schedule(text, 'job', zone).nextDue(at(after));
  // 2:30 for the first time.
  const after = '2026-10-25T00:30:00';
  expect(next('0 * * * *', after)).toBe(at('2026-10-25T01:00:00'));
  expect(next('15 * * * 7', after)).toBe(at('2026-10-25T01:15:00'));
  expect(next('0 * * * 1', after)).toBe(at('2026-10-25T23:00:00'));
  expect(next('0 1-3 * * *', after)).toBe(at('2026-10-25T02:00:00'));
});

it('makes up for the last time that was missed in its time zone', () => {
  const [schedule] = schedulesOf({
    ...{ name: 'job', schedule: ['0 4 * * *'], timeZone: 'Asia/Tokyo' },
  });
  const from = at('2026-11-18T20:00:00');
  expect(schedule.lastDue(from, at('2026-11-20T18:59:59'))).toBe(
    at('2026-11-19T19:00:00'),
  );
  expect(schedule.lastDue(from, at('2026-11-19T18:59:59'))).toBeUndefined();
});
