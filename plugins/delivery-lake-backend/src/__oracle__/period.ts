import { DateTime } from 'luxon';

/** A half-open period, in milliseconds since the Unix epoch. */
export interface Period {
  start: number;
  end: number;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * "A start or end date includes that whole day, a full timestamp is taken as is, the
 * end exclusive."
 */
export function readPeriod(options: {
  startDate: string;
  endDate: string;
  timeZone: string;
}): Period {
  const { startDate, endDate, timeZone: zone } = options;
  const start = DateTime.fromISO(startDate, { zone });
  const end = DateTime.fromISO(endDate, { zone });
  return {
    start: start.toMillis(),
    end: (DATE.test(endDate) ? end.plus({ days: 1 }) : end).toMillis(),
  };
}

/** "The period of equal length just before." */
export function periodBefore({ start, end }: Period): Period {
  return { start: start - (end - start), end: start };
}
