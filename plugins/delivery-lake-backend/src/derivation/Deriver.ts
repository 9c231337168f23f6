/** Brings what is derived (failures, lead times, rollups) up to what was taken in. */
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
