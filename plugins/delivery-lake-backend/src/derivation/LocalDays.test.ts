import { LocalDays } from './dayCounts';

const HOUR = 3_600_000;

it.each([
  ['Europe/Berlin', '2026-03-29T21:59:59.999Z', 20260329],
  ['Europe/Berlin', '2026-03-29T22:00:00.000Z', 20260330],
  ['Asia/Kathmandu', '2026-01-01T18:14:59.999Z', 20260101],
  ['Asia/Kathmandu', '2026-01-01T18:15:00.000Z', 20260102],
])('in %s the day of %s is %d', (timeZone, moment, day) => {
  expect(new LocalDays(timeZone).dayOf(Date.parse(moment))).toBe(day);
});

it('handles days of 23 and 25 hours', () => {
  const days = new LocalDays('Europe/Berlin');
  const lengthOf = (noon: string) => {
    const start = days.startOfDay(Date.parse(noon));
    return (days.startOfDay(start + 30 * HOUR) - start) / HOUR;
  };
  expect(lengthOf('2026-03-29T12:00:00Z')).toBe(23);
  expect(lengthOf('2026-10-25T12:00:00Z')).toBe(25);
});

it('lists the offsets of a year', () => {
  const days = new LocalDays('Europe/Berlin');
  expect(
    days.offsetsBetween(Date.UTC(2026, 0, 1), Date.UTC(2026, 11, 31)),
  ).toEqual([
    { offset: HOUR, until: Date.UTC(2026, 2, 29, 1) },
    { offset: 2 * HOUR, until: Date.UTC(2026, 9, 25, 1) },
    { offset: HOUR, until: Infinity },
  ]);
});
