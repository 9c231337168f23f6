import { createApiRef } from '@backstage/frontend-plugin-api';
import type { CallOptions } from '@slipway/app-react';
import type { PropertyFilter } from './EventsApi';
import type { ActorsSource } from './PeopleApi';

/** Manages the saved groups of users of a project. Methods reject like those of `EventsApi`. */
export interface CohortsApi {
  /** Lists the cohorts of a project, by name. */
  getCohorts(projectId: string, options?: CallOptions): Promise<Cohort[]>;
  createCohort(projectId: string, cohort: NewCohort): Promise<Cohort>;
  changeCohort(
    projectId: string,
    of: VersionedCohort,
    changes: CohortChanges,
  ): Promise<Cohort>;
  /** Adds users to a fixed list, or removes them. Needs no version: concurrent changes do not conflict. */
  changeList(
    projectId: string,
    id: number,
    changes: ListChanges,
  ): Promise<Cohort>;
  deleteCohort(projectId: string, of: VersionedCohort): Promise<void>;
  /** Creates a cohort with the same conditions or users. */
  duplicateCohort(projectId: string, id: number): Promise<Cohort>;
}

/** {@link CohortsApi} */
export const cohortsApiRef = createApiRef<CohortsApi>().with({
  id: 'plugin.analytics.cohorts',
  pluginId: 'analytics',
});

/** The version that a change is based on; the change is rejected if there is a newer one. */
export type VersionedCohort = Pick<Cohort, 'id' | 'version'>;

/** Users with a property. */
export interface PersonCondition extends Omit<PropertyFilter, 'type'> {
  type: 'person';
  /** True to select all other users instead. */
  negation?: boolean;
}

/** Users who did something, as the service defines it. */
export interface EventCondition {
  type: 'behavioral';
  /** The name of an event. */
  key: string;
  value: 'performed_event' | 'performed_event_multiple';
  operator?: 'gte' | 'lte';
  operator_value?: number;
  time_value: number;
  time_interval: 'day' | 'week' | 'month';
  negation?: boolean;
}

export type CohortCondition = PersonCondition | EventCondition;

/** The conditions of a cohort; users must meet all or any of them. */
export interface CohortFilters {
  properties: { type: 'AND' | 'OR'; values: CohortCondition[] };
}

/** A saved group of users. Times are ISO 8601. */
export interface Cohort {
  id: number;
  name: string;
  description: string;
  /** True for a fixed list of users, which has no conditions. */
  is_static: boolean;
  filters?: CohortFilters;
  /** The number of IDs in a fixed list. */
  count?: number;
  version: number;
  created_by: string;
  updated_at: string;
  may_change: boolean;
}

/** The part of a cohort that users may change. */
export type CohortChanges = Partial<
  Pick<Cohort, 'name' | 'description' | 'filters'>
>;

/** IDs of users to add to a fixed list or to remove from it. */
export interface ListChanges {
  add_distinct_ids?: string[];
  remove_distinct_ids?: string[];
}

/** A new cohort: conditions, ids of users, or the users behind a number. */
export interface NewCohort extends CohortChanges {
  name: string;
  is_static: boolean;
  distinct_ids?: string[];
  query?: { kind: 'ActorsQuery'; source: ActorsSource; search?: string };
}
