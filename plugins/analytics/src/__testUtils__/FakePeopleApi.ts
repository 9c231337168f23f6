import type { CallOptions } from '@slipway/app-react';
import type {
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
} from '../api/PeopleApi';

const at = '2026-11-21T10:00:00.000Z';

/** {@link PeopleApi} with two persons and two groups. */
export class FakePeopleApi implements PeopleApi {
  persons: Person[] = [
    {
      id: 'ada',
      distinct_ids: ['ada', 'device-1'],
      properties: { email: 'ada@example.com', plan: 'pro' },
      is_identified: true,
      created_at: at,
      last_seen_at: at,
    },
    {
      id: 'device-2',
      distinct_ids: ['device-2'],
      properties: {},
      is_identified: false,
      created_at: at,
      last_seen_at: at,
    },
  ];
  /** The cohorts that every person is in. */
  cohorts: CohortName[] = [];
  erasures: Erasure[] = [];
  /** All received requests for the people behind a number. */
  readonly askedActors: PeopleSource[] = [];
  groups: Group[] = [
    {
      type: 'company',
      key: 'acme',
      properties: { name: 'Acme Ltd', plan: 'pro' },
      created_at: at,
    },
    { type: 'team', key: 'red', properties: {}, created_at: at },
  ];

  async getPersons(
    _projectId: string,
    { search }: { search: string },
  ): Promise<PersonList> {
    const persons = this.persons.filter(person =>
      JSON.stringify(person).includes(search),
    );
    return { persons, has_more: false };
  }

  async getActors(
    _projectId: string,
    options: CallOptions & {
      of: PeopleSource;
      search: string;
      limit: number;
      offset: number;
    },
  ): Promise<ActorList> {
    const { of, search, limit, offset } = options;
    this.askedActors.push(of);
    const found = this.persons.filter(person =>
      JSON.stringify(person).includes(search),
    );
    return {
      actors: found.slice(offset, offset + limit).map((person, index) => ({
        ...person,
        hasProfile: person.is_identified,
        events: of.kind === 'FunnelsActorsQuery' ? null : 3 - index,
      })),
      total: found.length,
    };
  }

  async getPerson(_projectId: string, distinctId: string): Promise<Person> {
    return this.persons.find(({ distinct_ids: ids }) =>
      ids.includes(distinctId),
    )!;
  }

  async getCohortsOf(): Promise<CohortName[]> {
    return this.cohorts;
  }

  async getTimeline(
    _projectId: string,
    distinctId: string,
    { before }: { before?: string } = {},
  ): Promise<Timeline> {
    const event = before === undefined ? 'bought' : 'signed up';
    return {
      events: [
        {
          uuid: event,
          event,
          timestamp: at,
          distinct_id: distinctId,
          properties: { $pathname: '/pricing' },
        },
      ],
      has_more: before === undefined,
      ...(before === undefined && { next: at }),
    };
  }

  async erase(_projectId: string, distinctId: string): Promise<Erasure> {
    this.persons = this.persons.filter(({ id }) => id !== distinctId);
    const erasure = { id: 'e1', requested_at: at, requested_by: 'user:x/ada' };
    this.erasures = [erasure];
    return erasure;
  }

  async getGroupTypes(): Promise<GroupType[]> {
    const names = [...new Set(this.groups.map(({ type }) => type))];
    return names.map((name, index) => ({ name, index, groups: 1 }));
  }

  async getGroups(
    _projectId: string,
    { type, search }: { type: string; search: string },
  ): Promise<GroupList> {
    const groups = this.groups.filter(
      group => group.type === type && JSON.stringify(group).includes(search),
    );
    return { groups, has_more: false };
  }

  async getGroup(_projectId: string, { key }: GroupName): Promise<Group> {
    return this.groups.find(group => group.key === key)!;
  }

  async getGroupTimeline(
    projectId: string,
    { key }: GroupName,
    options: { before?: string } = {},
  ): Promise<Timeline> {
    return this.getTimeline(projectId, key, options);
  }

  async deleteGroup(_projectId: string, { key }: GroupName): Promise<void> {
    this.groups = this.groups.filter(group => group.key !== key);
  }

  async getErasures(): Promise<Erasure[]> {
    return this.erasures;
  }
}
