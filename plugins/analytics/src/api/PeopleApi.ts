import { createApiRef } from '@backstage/frontend-plugin-api';
import type { CallOptions } from './EventsApi';

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
  /** @param options.before - only events before this time, ISO 8601. */
  getTimeline(
    projectId: string,
    distinctId: string,
    options?: CallOptions & { before?: string },
  ): Promise<Timeline>;
  /** Resolves once the deletion is requested; it completes within a minute. */
  erase(projectId: string, distinctId: string): Promise<Erasure>;
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

/** What a person did, latest first. */
export interface Timeline {
  events: TimelineEvent[];
  has_more: boolean;
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
