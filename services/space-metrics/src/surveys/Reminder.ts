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

/** When people answered last, and what they chose about being reminded. */
export interface ReminderStore {
  /** {@link UNKNOWN} of whoever is not known. */
  get(personHash: string): Promise<ReminderState>;
  /** Of many; in the answer are only those of whom something is known. */
  getAll(
    personHashes: readonly string[],
  ): Promise<ReadonlyMap<string, ReminderState>>;
  /** What is undefined stays as it is. A person who is not known is added. */
  change(personHash: string, changes: ReminderChanges): Promise<void>;
}

export const DAY_MS = 86_400_000;

/** Of whom nothing is known. */
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

/** Whether the next pulse survey is due now. */
export function isDue(
  state: ReminderState,
  options: { cadenceDays: number; now: number },
): boolean {
  const due = dueAt(state, options);
  return due !== undefined && due <= options.now;
}
