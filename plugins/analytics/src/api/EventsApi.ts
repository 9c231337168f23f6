import { createApiRef } from '@backstage/frontend-plugin-api';
import type {
  Credential,
  CredentialKind,
  EventsQuery,
  ProjectList,
  QueryResult,
} from './types';

/** What every call takes beside its own arguments. */
export interface CallOptions {
  /** Aborts the request. */
  signal?: AbortSignal;
}

/**
 * Asks the analytics service. Every method rejects with a `ResponseError` when the
 * answer is not 2xx, and with a `TypeError` when there was none.
 */
export interface EventsApi {
  getProjects(options?: CallOptions): Promise<ProjectList>;
  query(
    projectId: string,
    query: EventsQuery,
    options?: CallOptions,
  ): Promise<QueryResult>;
  getCredentials(
    projectId: string,
    options?: CallOptions,
  ): Promise<Credential[]>;
  /** Resolves with the secret, which is told this once. */
  createCredential(
    projectId: string,
    credential: { kind: CredentialKind; name: string },
  ): Promise<string>;
  revokeCredential(projectId: string, id: string): Promise<void>;
}

/** {@link EventsApi} */
export const eventsApiRef = createApiRef<EventsApi>().with({
  id: 'plugin.analytics.events',
  pluginId: 'analytics',
});
