/** Which location is to bring an entity. */
export interface EntityClaim {
  entityRef: string;
  /** As Backstage writes it: `url:https://…`. */
  location: string;
}

/**
 * Keeps the entities of locations that are accepted for them until the catalog shows
 * what is in them, across replicas. A claim ends by itself after a while: what is shown
 * by then is guarded by the catalog, and what is not cannot be read.
 */
export interface EntityClaims {
  /**
   * Claims all of these entities for a location, or none.
   *
   * @param options.instead - a location whose claims end in favour of this one.
   * @returns a claim that is in the way, which is one of the same location where two
   *   register it at the same time; undefined when there is none.
   */
  claim(
    location: string,
    entityRefs: readonly string[],
    options?: { instead?: string },
  ): Promise<EntityClaim | undefined>;

  /** The entities that a location claims. */
  of(location: string): Promise<string[]>;

  /** Ends the claims of a location. */
  release(location: string): Promise<void>;
}
