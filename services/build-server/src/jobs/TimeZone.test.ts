import { TimeZone } from './TimeZone.ts';

const at = (text: string) => Date.parse(`${text}Z`);

it.each([
  ['UTC', '2026-07-01T12:00:00', '2026-07-01T12:00:00'],
  ['Europe/Berlin', '2026-07-01T12:34:56', '2026-07-01T14:34:56'],
  ['Europe/Berlin', '2026-12-31T23:30:00', '2027-01-01T00:30:00'],
  ['America/New_York', '2026-01-01T03:00:00', '2025-12-31T22:00:00'],
  ['Asia/Kathmandu', '2026-01-01T00:00:00', '2026-01-01T05:45:00'],
  // Its clocks change by half an hour.
  ['Australia/Lord_Howe', '2026-01-01T00:00:00', '2026-01-01T11:00:00'],
  ['Australia/Lord_Howe', '2026-07-01T00:00:00', '2026-07-01T10:30:00'],
])('tells the time in %s at %s: %s', (name, moment, local) => {
  const zone = new TimeZone(name);
  expect(zone.localOf(at(moment))).toBe(at(local));
  expect(zone.momentOf(at(local))).toBe(at(moment));
});

it.each([
  // Clocks are set from 2:00 to 3:00, and from 3:00 back to 2:00.
  ['Europe/Berlin', '2026-03-29T01:59:00', '2026-03-29T00:59:00'],
  ['Europe/Berlin', '2026-03-29T02:30:00', '2026-03-29T01:30:00'],
  ['Europe/Berlin', '2026-03-29T03:00:00', '2026-03-29T01:00:00'],
  ['Europe/Berlin', '2026-10-25T01:59:00', '2026-10-24T23:59:00'],
  ['Europe/Berlin', '2026-10-25T02:30:00', '2026-10-25T00:30:00'],
  ['Europe/Berlin', '2026-10-25T03:00:00', '2026-10-25T02:00:00'],
  ['America/New_York', '2026-11-01T01:30:00', '2026-11-01T05:30:00'],
  ['America/New_York', '2026-11-01T02:00:00', '2026-11-01T07:00:00'],
])('in %s, %s is %s where clocks change', (name, local, moment) => {
  expect(new TimeZone(name).momentOf(at(local))).toBe(at(moment));
});

it('does not know zones that there are not', () => {
  expect(() => new TimeZone('Europe/Nowhere')).toThrow(RangeError);
});
