import {
  useSearched,
  useSearchedWords,
  useServiceChange,
  useServiceQuery,
} from '@slipway/app-react';
import { keepPreviousData } from '@tanstack/react-query';
import type { Project } from './api/EventsApi';
import {
  type GroupName,
  type GroupType,
  peopleApiRef,
  type PeopleSource,
} from './api/PeopleApi';

const PENDING_MS = 1_000;

/** Queries the persons with a text in their ids or properties, last seen first. */
export function usePersons(projectId: string, text: string) {
  const search = useSearchedWords(text);
  return useServiceQuery(
    peopleApiRef,
    ['persons', projectId, search],
    (api, call) => api.getPersons(projectId, { ...call, search }),
    { placeholderData: keepPreviousData },
  );
}

/** Queries the person that an id belongs to. */
export function usePerson(projectId: string, distinctId: string) {
  return useServiceQuery(
    peopleApiRef,
    ['person', projectId, distinctId],
    (api, call) => api.getPerson(projectId, distinctId, call),
  );
}

/** Queries the cohorts that a person is in, by name. */
export function usePersonCohorts(projectId: string, personId: string) {
  return useServiceQuery(
    peopleApiRef,
    ['person-cohorts', projectId, personId],
    (api, call) => api.getCohortsOf(projectId, personId, call),
  );
}

/** Queries a page of the people that a number or filters select, with a text in their name or ids. */
export function useActors(
  projectId: string,
  of: PeopleSource,
  page: { search: string; limit: number; offset: number },
) {
  const { q: search, offset } = useSearched({
    q: page.search,
    offset: page.offset,
  });
  return useServiceQuery(
    peopleApiRef,
    ['actors', projectId, of, search, offset],
    (api, call) =>
      api.getActors(projectId, { ...call, ...page, of, search, offset }),
    { placeholderData: keepPreviousData },
  );
}

/** Queries the last events of a person, or the last before a given place. */
export function useTimeline(
  projectId: string,
  distinctId: string,
  before?: string,
) {
  return useServiceQuery(
    peopleApiRef,
    ['timeline', projectId, distinctId, before],
    (api, call) => api.getTimeline(projectId, distinctId, { ...call, before }),
    { placeholderData: keepPreviousData },
  );
}

/** Requests the deletion of a person by one of the person's ids. */
export function useErasePerson(projectId: string) {
  return useServiceChange(peopleApiRef, (api, distinctId: string) =>
    api.erase(projectId, distinctId),
  );
}

/** Queries the deletions of persons, newest first, and refetches them while one is in progress. */
export function useErasures(projectId: string) {
  return useServiceQuery(
    peopleApiRef,
    ['erasures', projectId],
    (api, call) => api.getErasures(projectId, call),
    {
      refetchInterval: ({ state }) =>
        state.data?.some(({ done_at: doneAt }) => doneAt === undefined)
          ? PENDING_MS
          : false,
    },
  );
}

/** Queries the group types of a project, once it is known; never if it hides people. */
export function useGroupTypes(project: Project | undefined) {
  const projectId = visibleId(project);
  return useServiceQuery(
    peopleApiRef,
    ['group-types', projectId],
    (api, call) => api.getGroupTypes(projectId!, call),
    { enabled: projectId !== undefined },
  );
}

/** A group type, and the properties that forms suggest: the properties of its newest groups. */
interface GroupProperties extends GroupType {
  properties: string[];
}

/**
 * Queries the properties of groups by group type, once the project is known; none if it
 * hides people.
 */
export function useGroupProperties(
  project: Project | undefined,
): GroupProperties[] {
  const projectId = visibleId(project);
  const { data } = useServiceQuery(
    peopleApiRef,
    ['group-properties', projectId],
    async (api, call) => {
      const types = await api.getGroupTypes(projectId!, call);
      return Promise.all(
        types.map(async type => {
          const of = { ...call, type: type.name, search: '' };
          const { groups } = await api.getGroups(projectId!, of);
          const names = groups.flatMap(each => Object.keys(each.properties));
          return { ...type, properties: [...new Set(names)].sort() };
        }),
      );
    },
    { enabled: projectId !== undefined },
  );
  return data ?? [];
}

/** Returns the id of a project unless it hides people: then it does not reveal its groups either. */
function visibleId(project: Project | undefined): string | undefined {
  return project?.hidesPeople ? undefined : project?.id;
}

/** Queries the groups of a type with a text in their keys or properties, newest first. */
export function useGroups(projectId: string, type: string, text: string) {
  const search = useSearchedWords(text);
  return useServiceQuery(
    peopleApiRef,
    ['groups', projectId, type, search],
    (api, call) => api.getGroups(projectId, { ...call, type, search }),
    { placeholderData: keepPreviousData },
  );
}

/** Queries a group with its properties. */
export function useGroup(projectId: string, group: GroupName) {
  return useServiceQuery(
    peopleApiRef,
    ['group', projectId, group.type, group.key],
    (api, call) => api.getGroup(projectId, group, call),
  );
}

/** Queries the last events of a group, or the last before a given place. */
export function useGroupTimeline(
  projectId: string,
  group: GroupName,
  before?: string,
) {
  return useServiceQuery(
    peopleApiRef,
    ['group-timeline', projectId, group.type, group.key, before],
    (api, call) => api.getGroupTimeline(projectId, group, { ...call, before }),
    { placeholderData: keepPreviousData },
  );
}

/** Deletes a group. */
export function useDeleteGroup(projectId: string) {
  return useServiceChange(peopleApiRef, (api, group: GroupName) =>
    api.deleteGroup(projectId, group),
  );
}
