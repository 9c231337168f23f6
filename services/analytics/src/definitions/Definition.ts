/** The kinds of objects that definitions describe. */
export type DefinitionKind = 'event' | 'event_property' | 'person_property';

/** The type of a property, named as in PostHog. */
export type PropertyType = 'Boolean' | 'DateTime' | 'Numeric' | 'String';

/** An event or property that occurs in some events, by name. */
export interface Observed {
  readonly projectId: string;
  readonly kind: DefinitionKind;
  readonly name: string;
  /** Undefined for events, and for values such as lists. */
  readonly propertyType?: PropertyType;
  /** Milliseconds since the Unix epoch. */
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  /** Number of events by day, counted from 1970-01-01 in UTC. */
  readonly days: ReadonlyMap<number, number>;
}

/** The notes of users on a definition. */
export interface DefinitionNotes {
  readonly description: string;
  /** The team or person responsible for it; empty if there is none. */
  readonly owner: string;
  /** True if someone has checked that it is safe to use. */
  readonly isVerified: boolean;
  /** True if forms do not suggest it. */
  readonly isHidden: boolean;
}

/** An event or property of a project. Times are milliseconds since the Unix epoch. */
export interface Definition extends DefinitionNotes {
  readonly id: string;
  readonly projectId: string;
  readonly kind: DefinitionKind;
  readonly name: string;
  readonly propertyType?: PropertyType;
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  /** Number of events in the last 30 days. */
  readonly volume: number;
  /** When the notes last changed. */
  readonly changedAt?: number;
  readonly changedBy?: string;
}

/** The definitions to list: filters, order and page. */
export interface DefinitionQuery {
  readonly kind: DefinitionKind;
  /** Part of a name, ignoring case. */
  readonly search?: string;
  /** False to omit hidden definitions. */
  readonly withHidden: boolean;
  readonly order: {
    by: 'name' | 'firstSeenAt' | 'lastSeenAt' | 'volume';
    descending: boolean;
  };
  readonly limit: number;
  readonly offset: number;
}

export const DAY_MS = 86_400_000;
/** Number of days that the volume of a definition covers. */
export const VOLUME_DAYS = 30;
