/** The state that determines whether a person is reminded. Times are milliseconds since 1970. */
export interface ReminderState {
  readonly lastAnsweredAt?: number;
  readonly snoozedUntil?: number;
  readonly optedOut: boolean;
}

/** Settings that a person may change; null removes a snooze. */
export interface ReminderChanges {
  readonly snoozedUntil?: number | null;
  readonly optedOut?: boolean;
}

export const DAY_MS = 86_400_000;

/** The state of a person without any records. */
export const UNKNOWN: ReminderState = { optedOut: false };

/**
 * Returns when the next pulse survey is due: one interval after the last one, or immediately for
 * people who have never answered; not before a snooze ends, and never for people who opted out.
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

/** Checks whether the next pulse survey is due now. */
export function isDue(
  state: ReminderState,
  options: { cadenceDays: number; now: number },
): boolean {
  const due = dueAt(state, options);
  return due !== undefined && due <= options.now;
}
