/** The settings of a project by which times are truncated and shown. */
export interface Calendar {
  /** An IANA name, such as Europe/Zurich. */
  readonly zone: string;
  /** 0 for Sunday, 1 for Monday. */
  readonly weekStart: 0 | 1;
}

export const UTC: Calendar = { zone: 'UTC', weekStart: 0 };

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const QUARTER_HOUR_MS = 15 * MINUTE_MS;

/** The lengths of units in milliseconds. Days have none: a day may have 23 or 25 hours. */
export const FIXED_MS: Readonly<Record<string, number>> = {
  second: 1_000,
  minute: MINUTE_MS,
  fiveMinutes: 5 * MINUTE_MS,
  tenMinutes: 10 * MINUTE_MS,
  fifteenMinutes: QUARTER_HOUR_MS,
  hour: HOUR_MS,
};

/** Units to which times are truncated. */
export const UNITS = [
  'second',
  'minute',
  'fiveMinutes',
  'tenMinutes',
  'fifteenMinutes',
  'hour',
  'day',
  'week',
  'month',
  'quarter',
  'year',
] as const;
export type Unit = (typeof UNITS)[number];

/** Current names of zones that JavaScript engines list under an older name. */
const CURRENT_NAMES = [
  'Africa/Asmara',
  'America/Argentina/Buenos_Aires',
  'America/Argentina/Catamarca',
  'America/Argentina/Cordoba',
  'America/Argentina/Jujuy',
  'America/Argentina/Mendoza',
  'America/Atikokan',
  'America/Indiana/Indianapolis',
  'America/Kentucky/Louisville',
  'America/Nuuk',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Yangon',
  'Atlantic/Faroe',
  'Europe/Kyiv',
  'Pacific/Chuuk',
  'Pacific/Kanton',
  'Pacific/Pohnpei',
];
/** The names of time zones; every engine knows all of them. */
export const ZONES: readonly string[] = [
  ...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...CURRENT_NAMES]),
];
const known = new Set(ZONES);

/** Checks whether both engines know a zone. */
export function isZone(name: string): boolean {
  return known.has(name);
}

const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, Map<number, number>>();
const MOST_OFFSETS = 100_000;

/** The last time that dates can represent in every zone; the first one is equally far before 1970. */
const LAST_TIME = 8.64e15 - DAY_MS;

/** Checks whether a time can be represented in every zone. */
export function isTime(instant: number): boolean {
  return Math.abs(instant) <= LAST_TIME;
}

/**
 * Returns the offset of a zone from UTC at a time, in milliseconds; NaN outside the range
 * of times, so that results computed from it are invalid too.
 */
function offsetAt(zone: string, instant: number): number {
  if (!isTime(instant)) {
    return NaN;
  }
  if (zone === 'UTC') {
    return 0;
  }
  // Zones change their offset only at a quarter of an hour.
  const slot = Math.floor(instant / QUARTER_HOUR_MS);
  const slots = offsets.get(zone) ?? new Map<number, number>();
  offsets.set(zone, slots);
  const found = slots.get(slot);
  if (found !== undefined) {
    return found;
  }
  if (slots.size > MOST_OFFSETS) {
    slots.clear();
  }
  const start = slot * QUARTER_HOUR_MS;
  const offset = clockOf(zone, start) - start;
  slots.set(slot, offset);
  return offset;
}

function clockOf(zone: string, instant: number): number {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  formats.set(zone, format);
  const part = Object.fromEntries(
    format
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  return Date.UTC(
    part.year,
    part.month - 1,
    part.day,
    part.hour,
    part.minute,
    part.second,
  );
}

/** Returns the local time in a zone, encoded as if it were in UTC. */
export function localOf(zone: string, instant: number): number {
  return instant + offsetAt(zone, instant);
}

/**
 * Returns the time at which clocks in a zone show a local time: the first of two if clocks
 * are set back, and the time of the change if clocks skip it.
 */
export function instantOf(zone: string, local: number): number {
  const early = local - offsetAt(zone, local - DAY_MS);
  const late = local - offsetAt(zone, local + DAY_MS);
  for (const instant of [Math.min(early, late), Math.max(early, late)]) {
    if (localOf(zone, instant) === local) {
      return instant;
    }
  }
  // The local time is skipped: clocks change at the first quarter of an hour with a later local time.
  let at = Math.min(early, late);
  at -= at % QUARTER_HOUR_MS;
  while (localOf(zone, at) < local) {
    at += QUARTER_HOUR_MS;
  }
  return at;
}

/** Returns the start of the unit that contains a time. */
export function startOf(
  instant: number,
  unit: Unit,
  { zone, weekStart }: Calendar,
): number {
  const local = localOf(zone, instant);
  const fixed = FIXED_MS[unit];
  return fixed === undefined
    ? instantOf(zone, startOfDate(local, unit, weekStart))
    : instant - (((local % fixed) + fixed) % fixed);
}

/** Returns the first day of the unit that contains a time, as midnight in UTC. */
export function dateOf(
  instant: number,
  unit: Unit,
  { zone, weekStart }: Calendar,
): number {
  return startOfDate(localOf(zone, instant), unit, weekStart);
}

function startOfDate(local: number, unit: Unit, weekStart: number): number {
  const date = new Date(local);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  switch (unit) {
    case 'week': {
      const day = Math.floor(local / DAY_MS);
      const since = (date.getUTCDay() - weekStart + 7) % 7;
      return (day - since) * DAY_MS;
    }
    case 'month':
      return Date.UTC(year, month, 1);
    case 'quarter':
      return Date.UTC(year, month - (month % 3), 1);
    case 'year':
      return Date.UTC(year, 0, 1);
    default:
      return Math.floor(local / DAY_MS) * DAY_MS;
  }
}

/**
 * Moves a time forwards or backwards by a number of units. Hours are exact; days and longer
 * units keep the local time, and a month after 31 January is the last day of February.
 */
export function move(
  instant: number,
  unit: Unit,
  { steps, zone }: { steps: number; zone: string },
): number {
  const fixed = FIXED_MS[unit];
  if (fixed !== undefined) {
    return instant + steps * fixed;
  }
  const local = localOf(zone, instant);
  switch (unit) {
    case 'day':
      return instantOf(zone, local + steps * DAY_MS);
    case 'week':
      return instantOf(zone, local + 7 * steps * DAY_MS);
    case 'month':
      return instantOf(zone, moveMonths(local, steps));
    case 'quarter':
      return instantOf(zone, moveMonths(local, 3 * steps));
    default:
      return instantOf(zone, moveMonths(local, 12 * steps));
  }
}

function moveMonths(local: number, months: number): number {
  const moved = new Date(local);
  const day = moved.getUTCDate();
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const last = new Date(
    Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0),
  ).getUTCDate();
  return moved.setUTCDate(Math.min(day, last));
}

/**
 * Returns the number of unit boundaries between two times; negative if the second is
 * earlier. Weeks begin on Monday.
 */
export function difference(
  from: number,
  to: number,
  { unit, zone }: { unit: Unit; zone: string },
): number {
  return numberOf(to, unit, zone) - numberOf(from, unit, zone);
}

function numberOf(instant: number, unit: Unit, zone: string): number {
  const local = localOf(zone, instant);
  const date = new Date(local);
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth();
  switch (unit) {
    case 'day':
      return Math.floor(local / DAY_MS);
    case 'week':
      // 1 January 1970 was a Thursday.
      return Math.floor((Math.floor(local / DAY_MS) + 3) / 7);
    case 'month':
      return months;
    case 'quarter':
      return Math.floor(months / 3);
    case 'year':
      return date.getUTCFullYear();
    default:
      return Math.floor(local / FIXED_MS[unit]);
  }
}

/** Formats a time as `2026-11-21T11:00:00.000+01:00`, or with `Z` in UTC. */
export function isoIn(zone: string, instant: number): string {
  const offset = offsetAt(zone, instant);
  const text = new Date(instant + offset).toISOString();
  if (zone === 'UTC') {
    return text;
  }
  const minutes = Math.abs(offset) / MINUTE_MS;
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0');
  return `${text.slice(0, -1)}${offset < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}
