/** Builds that have ended, to be discarded. */
export interface DiscardStore {
  /**
   * Ended builds of a job that are behind a bound, oldest first, some at a time. The last
   * one that succeeded and the last one without a failed test are never among them:
   * people ask for these.
   *
   * @param bounds.endedBefore - milliseconds since the Unix epoch.
   * @returns their ids.
   */
  listDiscardable(
    job: string,
    bounds: { keepBuilds?: number; endedBefore?: number },
  ): Promise<number[]>;
  /** Removes builds that have ended. */
  remove(ids: readonly number[]): Promise<void>;
}
