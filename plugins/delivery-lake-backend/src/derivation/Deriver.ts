/**
 * Brings what is derived (failures, lead times, rollups) up to what was taken in.
 *
 * What was taken in says so itself, by rows of `dirty_marks` in the same
 * transaction. Per service that it concerns, before and after:
 *
 * - a counted deployment, or one that was: `since` its finish; also where nothing
 *   but its `head_position` became another;
 * - a production incident, or one that was: `since` its start; where it is deleted,
 *   the finish of the deployment that it was attributed to as well;
 * - a change: `repository_id` and `position`; where it is deleted, the finish of the
 *   deployments that list it as well.
 *
 * Other services that such an event concerns, by links of incidents, are found by
 * deriving.
 */
export interface Deriver {
  /**
   * Derives what is marked dirty, of these services or of all, and returns once it
   * is done, also when another replica does it.
   *
   * @param serviceIds - internal ids; absent: everything.
   */
  drain(serviceIds?: number[]): Promise<void>;
  /** Marks everything dirty, drains, and sums the rollups up anew. */
  rebuild(onProgress?: (done: number, total: number) => void): Promise<void>;
}
