import { createApiRef } from '@backstage/frontend-plugin-api';
import type { CallOptions } from '@slipway/app-react';
import type { PropertyFilter } from './EventsApi';
import type {
  BreakdownValue,
  InsightQuery,
  LifecycleStatus,
} from './InsightQuery';

/**
 * Queries the analytics service for the persons of a project. Methods reject like those
 * of `EventsApi`.
 */
export interface PeopleApi {
  /** @param options.search - part of an id or of a property's value. */
  getPersons(
    projectId: string,
    options: CallOptions & { search: string },
  ): Promise<PersonList>;
  /** @param distinctId - any id of the person. */
  getPerson(
    projectId: string,
    distinctId: string,
    options?: CallOptions,
  ): Promise<Person>;
  /** Lists the cohorts that a person is in, by name. */
  getCohortsOf(
    projectId: string,
    distinctId: string,
    options?: CallOptions,
  ): Promise<CohortName[]>;
  /** @param options.before - a time, ISO 8601, or {@link Timeline.next} of another page. */
  getTimeline(
    projectId: string,
    distinctId: string,
    options?: CallOptions & { before?: string },
  ): Promise<Timeline>;
  /**
   * Lists the people behind a number of an insight, or the people that filters select, with
   * the most events first.
   *
   * @param options.search - part of a name or of an id.
   */
  getActors(
    projectId: string,
    options: CallOptions & {
      of: PeopleSource;
      search: string;
      limit: number;
      offset: number;
    },
  ): Promise<ActorList>;
  /** Resolves once the deletion is requested; it completes within a minute. */
  erase(projectId: string, distinctId: string): Promise<Erasure>;
  /** Lists the types of groups, such as companies; at most five. */
  getGroupTypes(projectId: string, options?: CallOptions): Promise<GroupType[]>;
  /** @param options.search - part of a key or of a property's value. */
  getGroups(
    projectId: string,
    options: CallOptions & { type: string; search: string },
  ): Promise<GroupList>;
  getGroup(
    projectId: string,
    group: GroupName,
    options?: CallOptions,
  ): Promise<Group>;
  /** @param options.before - a time, ISO 8601, or {@link Timeline.next} of another page. */
  getGroupTimeline(
    projectId: string,
    group: GroupName,
    options?: CallOptions & { before?: string },
  ): Promise<Timeline>;
  /** Deletes a group and its properties, but not its events. */
  deleteGroup(projectId: string, group: GroupName): Promise<void>;
  getErasures(projectId: string, options?: CallOptions): Promise<Erasure[]>;
}

/** {@link PeopleApi} */
export const peopleApiRef = createApiRef<PeopleApi>().with({
  id: 'plugin.analytics.people',
  pluginId: 'analytics',
});

/** A cohort that a person is in. */
export interface CohortName {
  id: number;
  name: string;
  is_static: boolean;
}

/** A user of a product. Times are ISO 8601. */
export interface Person {
  id: string;
  distinct_ids: string[];
  properties: Record<string, unknown>;
  is_identified: boolean;
  created_at: string;
  last_seen_at: string;
}

/** Persons, last seen first. */
export interface PersonList {
  persons: Person[];
  has_more: boolean;
}

/** Selects a number of an insight, as the service defines it: the query, and which of its numbers. */
export interface ActorsSource {
  kind: 'FunnelsActorsQuery' | 'InsightActorsQuery';
  source: InsightQuery;
  /** The index of a series of trends or stickiness. */
  series?: number;
  /**
   * An interval of trends or a lifecycle, by its start or index, or a number of intervals
   * of stickiness; undefined for the whole period.
   */
  day?: string | number;
  /** The status of the users in a line of a lifecycle. */
  status?: LifecycleStatus;
  compare?: 'current' | 'previous';
  breakdown?: BreakdownValue;
  /** A step of a funnel, from 1; negative for users who reached the previous step, but not this one. */
  funnelStep?: number;
  funnelStepBreakdown?: BreakdownValue;
  /** The index of a row of a retention, and the index of a number in the row. */
  interval?: number;
  returnInterval?: number;
}

/** Selects people by filters on their properties or cohorts. */
export interface FilteredPeople {
  kind: 'filters';
  filters: PropertyFilter[];
  /** A number that differs after each change of the cohorts. */
  version?: number;
}

export type PeopleSource = ActorsSource | FilteredPeople;

/** A person behind a number. */
export interface Actor extends Pick<
  Person,
  'id' | 'distinct_ids' | 'properties'
> {
  /** False if the person has only events, and so no page. */
  hasProfile: boolean;
  /** The number of counted events; null if the insight is not about events. */
  events: number | null;
}

/** A page of the persons behind a number. */
export interface ActorList {
  actors: Actor[];
  /** The number of persons on all pages. */
  total: number;
}

/** A type of groups, such as companies. */
export interface GroupType {
  name: string;
  /** The number of the type in queries, as in `group_0`. */
  index: number;
  groups: number;
}

/** Identifies a group within a project. */
export interface GroupName {
  type: string;
  key: string;
}

/** A group of users, such as a company. Times are ISO 8601. */
export interface Group extends GroupName {
  properties: Record<string, unknown>;
  created_at: string;
}

/** Groups, newest first. */
export interface GroupList {
  groups: Group[];
  has_more: boolean;
}

/** The events of a person, latest first. */
export interface Timeline {
  events: TimelineEvent[];
  has_more: boolean;
  /** The place where the next page begins; undefined for the last page. */
  next?: string;
}

/** An event of a person. */
export interface TimelineEvent {
  uuid: string;
  event: string;
  timestamp: string;
  distinct_id: string;
  properties: Record<string, unknown>;
}

/** The deletion of a person. Times are ISO 8601. */
export interface Erasure {
  id: string;
  requested_at: string;
  requested_by: string;
  /** Undefined while in progress. */
  done_at?: string;
}
