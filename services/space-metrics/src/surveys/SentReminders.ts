/**
 * Who was reminded lately. What is noted here is noted before it is sent, so each
 * person is reminded at most once, however many replicas remind and whenever they die.
 */
export interface SentReminders {
  /** Forgets those who were reminded at `time` (milliseconds since 1970) or before. */
  forget(time: number): Promise<void>;
  /** Those who are not noted. */
  missing(personHashes: readonly string[]): Promise<string[]>;
  /** Notes one person; false where another was first. */
  claim(personHash: string, now: number): Promise<boolean>;
  /** Takes a note back, as nothing was sent. */
  giveBack(personHash: string): Promise<void>;
}
