/** The catalog's component for a reported service, and who owns it. */
export interface ServiceOwnership {
  /** Entity ref of the component, `component:default/payments-api`. */
  entityRef: string;
  /** Entity ref of the owning group; null if the owner is a user or unknown. */
  team: string | null;
  /** Entity ref of the system, if any. */
  project: string | null;
}

/** The result of looking a name up in the directory. */
export type ServiceMatch =
  | { match: 'known'; ownership: ServiceOwnership }
  | { match: 'ambiguous'; candidates: string[] }
  | { match: 'unknown'; candidates: string[] };

/** Maps reported names to components of the catalog. */
export interface ServiceDirectory {
  /**
   * Finds a component by entity ref, by name, by the annotation `slipway.dev/delivery-service`, by
   * an annotation of a tracker, or by a repository that only one component has.
   */
  find(name: string): ServiceMatch;
  /** Returns the title of an entity, or its name if it has none. */
  titleOf(entityRef: string): string;
  /** Registers a listener for changes that may affect the results of `find`. */
  onChange(listener: () => Promise<void>): void;
  /** Reloads the catalog. */
  refresh(): Promise<void>;
}
