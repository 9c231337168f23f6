/**
 * When people were reminded last, or first seen. What is noted here is noted before it
 * is sent, so each person is reminded at most once, however many replicas remind and
 * whenever they die. Times are milliseconds since 1970.
 */
export interface SentReminders {
  /**
   * What is noted of each; whoever is seen for the first time is noted as seen now, as
   * nobody is to be reminded of a survey that they had no time to answer.
   */
  note(
    personHashes: readonly string[],
    now: number,
  ): Promise<ReadonlyMap<string, number>>;
  /** Notes a reminder in place of what was noted; false where another was first. */
  claim(
    personHash: string,
    times: { noted: number; now: number },
  ): Promise<boolean>;
  /** Takes a note back, as nothing was sent. */
  giveBack(
    personHash: string,
    times: { noted: number; now: number },
  ): Promise<void>;
  /** Forgets what was noted at `time` or before of all others. */
  forgetOthers(personHashes: readonly string[], time: number): Promise<void>;
}
