import { createApiRef } from '@backstage/frontend-plugin-api';
import type { CallOptions } from '@slipway/app-react';

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
  /** @param options.before - a time, ISO 8601, or {@link Timeline.next} of another page. */
  getTimeline(
    projectId: string,
    distinctId: string,
    options?: CallOptions & { before?: string },
  ): Promise<Timeline>;
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
  /** Deletes a group with its properties, not its events. */
  deleteGroup(projectId: string, group: GroupName): Promise<void>;
  getErasures(projectId: string, options?: CallOptions): Promise<Erasure[]>;
}

/** {@link PeopleApi} */
export const peopleApiRef = createApiRef<PeopleApi>().with({
  id: 'plugin.analytics.people',
  pluginId: 'analytics',
});

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

/** A type of groups, such as companies. */
export interface GroupType {
  name: string;
  /** Its number in queries, as in `group_0`. */
  index: number;
  groups: number;
}

/** Names one group. */
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
  /** The place at which the next page begins. */
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
