import type { PropertyFilter } from '../query/filterSchemas.ts';
import type { Calendar } from '../query/time/zones.ts';

/** A product whose events are kept separate from those of others. */
export interface Project {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
  /** True if it is declared in the configuration, which then sets its name. */
  readonly isConfigured: boolean;
  /** Groups whose members may read it, in addition to admins; undefined if every signed-in user may. */
  readonly readers?: readonly string[];
  /** Origins whose pages may send events, such as `https://*.example.com`; undefined for any. */
  readonly origins?: readonly string[];
  /** True if results show how many people did something, but never who. */
  readonly hidesPeople: boolean;
  /** Defines when its days and weeks begin. */
  readonly calendar: Calendar;
  /** Days after which its events are deleted; undefined for the default of the installation. */
  readonly retentionDays?: number;
  /** Property filters that all match events except those of test accounts; undefined for none. */
  readonly testAccountFilters?: readonly PropertyFilter[];
  /** True if new insights exclude test accounts by default. */
  readonly filtersTestAccounts: boolean;
}

/** A project without the fields that are set later. */
export type NewProject = Omit<
  Project,
  'isConfigured' | 'testAccountFilters' | 'filtersTestAccounts'
>;

/** Changes of a project; undefined fields remain unchanged. */
export interface ProjectChanges extends Partial<Calendar> {
  readonly name?: string;
  /** Null for the default of the installation. */
  readonly retentionDays?: number | null;
  readonly testAccountFilters?: readonly PropertyFilter[];
  readonly filtersTestAccounts?: boolean;
}
