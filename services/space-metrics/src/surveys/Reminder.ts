/** What decides whether somebody is reminded; times are milliseconds since 1970. */
export interface ReminderState {
  readonly lastAnsweredAt?: number;
  readonly snoozedUntil?: number;
  readonly optedOut: boolean;
}

/** What a person may change; null takes a snooze back. */
export interface ReminderChanges {
  readonly snoozedUntil?: number | null;
  readonly optedOut?: boolean;
}

export const DAY_MS = 86_400_000;

/** The state of somebody of whom nothing is known. */
export const UNKNOWN: ReminderState = { optedOut: false };

/**
 * When the next pulse survey is due: a cadence after the last one, at once for whoever
 * never answered, not before a snooze ends, and never for whoever opted out.
 */
export function dueAt(
  state: ReminderState,
  options: { cadenceDays: number; now: number },
): number | undefined {
  const { lastAnsweredAt, snoozedUntil = 0, optedOut } = state;
  if (optedOut) {
    return undefined;
  }
  const next =
    lastAnsweredAt === undefined
      ? options.now
      : lastAnsweredAt + options.cadenceDays * DAY_MS;
  return Math.max(next, snoozedUntil);
}

/** Tells whether the next pulse survey is due now. */
export function isDue(
  state: ReminderState,
  options: { cadenceDays: number; now: number },
): boolean {
  const due = dueAt(state, options);
  return due !== undefined && due <= options.now;
}
