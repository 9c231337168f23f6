import type { DiscoveryApi, FetchApi } from '@backstage/frontend-plugin-api';
import { type CallOptions, ServiceClient } from '@slipway/app-react';
import type {
  Actor,
  ActorList,
  CohortName,
  Erasure,
  Group,
  GroupList,
  GroupName,
  GroupType,
  PeopleApi,
  PeopleSource,
  Person,
  PersonList,
  Timeline,
} from './PeopleApi';

/** Implements {@link PeopleApi} over HTTP, through the portal's proxy with its session. */
export class PeopleClient implements PeopleApi {
  readonly #projects: ServiceClient;

  constructor(options: { discoveryApi: DiscoveryApi; fetchApi: FetchApi }) {
    const path = '/analytics/api/projects';
    this.#projects = new ServiceClient({ ...options, path });
  }

  getPersons(
    projectId: string,
    { search, ...call }: CallOptions & { search: string },
  ): Promise<PersonList> {
    return this.#projects.json(`/${encodeURIComponent(projectId)}/persons`, {
      ...call,
      query: { search },
    });
  }

  getPerson(
    projectId: string,
    distinctId: string,
    call?: CallOptions,
  ): Promise<Person> {
    return this.#projects.json(personPath(projectId, distinctId), call);
  }

  async getCohortsOf(
    projectId: string,
    distinctId: string,
    call?: CallOptions,
  ): Promise<CohortName[]> {
    const { cohorts } = await this.#projects.json<{ cohorts: CohortName[] }>(
      `${personPath(projectId, distinctId)}/cohorts`,
      call,
    );
    return cohorts;
  }

  getTimeline(
    projectId: string,
    distinctId: string,
    { before, ...call }: CallOptions & { before?: string } = {},
  ): Promise<Timeline> {
    return this.#projects.json(`${personPath(projectId, distinctId)}/events`, {
      ...call,
      query: { before },
    });
  }

  async getActors(
    projectId: string,
    options: CallOptions & {
      of: PeopleSource;
      search: string;
      limit: number;
      offset: number;
    },
  ): Promise<ActorList> {
    const { of, search, limit, offset, ...call } = options;
    const { results, actor_count: total } = await this.#projects.json<{
      results: [
        Omit<Actor, 'hasProfile' | 'events'>,
        string | null,
        number | null,
      ][];
      actor_count: number;
    }>(`/${encodeURIComponent(projectId)}/query`, {
      ...call,
      method: 'POST',
      body: {
        query: {
          kind: 'ActorsQuery',
          ...(of.kind === 'filters'
            ? { properties: of.filters }
            : { source: of }),
          select: ['actor', 'created_at', 'event_count'],
          limit,
          offset,
          ...(search && { search }),
        },
      },
    });
    return {
      actors: results.map(([actor, createdAt, events]) => ({
        ...actor,
        hasProfile: createdAt !== null,
        events,
      })),
      total,
    };
  }

  erase(projectId: string, distinctId: string): Promise<Erasure> {
    return this.#projects.json(personPath(projectId, distinctId), {
      method: 'DELETE',
    });
  }

  async getGroupTypes(
    projectId: string,
    call?: CallOptions,
  ): Promise<GroupType[]> {
    const { group_types: types } = await this.#projects.json<{
      group_types: GroupType[];
    }>(`/${encodeURIComponent(projectId)}/group-types`, call);
    return types;
  }

  getGroups(
    projectId: string,
    { type, search, ...call }: CallOptions & { type: string; search: string },
  ): Promise<GroupList> {
    return this.#projects.json(`/${encodeURIComponent(projectId)}/groups`, {
      ...call,
      query: { type, search },
    });
  }

  getGroup(
    projectId: string,
    group: GroupName,
    call?: CallOptions,
  ): Promise<Group> {
    return this.#projects.json(groupPath(projectId, group), call);
  }

  getGroupTimeline(
    projectId: string,
    group: GroupName,
    { before, ...call }: CallOptions & { before?: string } = {},
  ): Promise<Timeline> {
    return this.#projects.json(`${groupPath(projectId, group)}/events`, {
      ...call,
      query: { before },
    });
  }

  async deleteGroup(projectId: string, group: GroupName): Promise<void> {
    await this.#projects.json(groupPath(projectId, group), {
      method: 'DELETE',
    });
  }

  async getErasures(projectId: string, call?: CallOptions): Promise<Erasure[]> {
    const { erasures } = await this.#projects.json<{ erasures: Erasure[] }>(
      `/${encodeURIComponent(projectId)}/erasures`,
      call,
    );
    return erasures;
  }
}

function personPath(projectId: string, distinctId: string): string {
  return `/${encodeURIComponent(projectId)}/persons/${encodeURIComponent(
    distinctId,
  )}`;
}

function groupPath(projectId: string, { type, key }: GroupName): string {
  return `/${[projectId, 'groups', type, key]
    .map(encodeURIComponent)
    .join('/')}`;
}
