/** The catalog's component for a reported service, and who owns it. */
export interface ServiceOwnership {
  /** Entity ref of the component, `component:default/payments-api`. */
  entityRef: string;
  /** Entity ref of the owning group; null when a person or nobody owns it. */
  team: string | null;
  /** Entity ref of the system; null when it is part of none. */
  project: string | null;
}

/** What the directory says of a name. */
export type ServiceMatch =
  | { match: 'known'; ownership: ServiceOwnership }
  | { match: 'ambiguous'; candidates: string[] }
  | { match: 'unknown'; candidates: string[] };

/** Finds the components that reported names mean. */
export interface ServiceDirectory {
  /**
   * By entity ref, by name, by the annotation `slipway.dev/delivery-service` or
   * by the repository that one component alone has.
   */
  find(name: string): ServiceMatch;
  /** Titles for pages; the name where the entity has none. */
  titleOf(entityRef: string): string;
  /** Calls back when what `find` answers may have changed. */
  onChange(listener: () => Promise<void>): void;
  /** Reads the catalog anew. */
  refresh(): Promise<void>;
}
