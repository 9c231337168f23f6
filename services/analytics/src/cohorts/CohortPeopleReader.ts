import type { Caller } from '@slipway/service-kit';
import type { Project } from '../projects/Project.ts';
import type { Projects } from '../projects/Projects.ts';
import { openQuery, type QuerySources } from '../query/answerQuery.ts';
import type { Query } from '../query/schemas.ts';
import type { Requester } from '../store/process/QueryQueue.ts';
import { MOST_PEOPLE } from './schemas.ts';

/** A person, in the shape of the results of an ActorsQuery. */
export interface ListedPerson {
  id: string;
  distinct_ids: string[];
  properties: Record<string, unknown>;
  is_identified: boolean;
  created_at: string | null;
  last_seen_at: string | null;
}

/** Reads the people that queries and cohorts select. */
export class CohortPeopleReader {
  readonly #sources: QuerySources;
  readonly #projects: Pick<Projects, 'openPeople'>;

  constructor(
    options: QuerySources & { projects: Pick<Projects, 'openPeople'> },
  ) {
    this.#sources = options;
    this.#projects = options.projects;
  }

  /**
   * Returns the ids that represent the people of an ActorsQuery.
   * @throws InvalidRequestError if there are more than a fixed list may have.
   */
  async ids(
    project: Project,
    query: Query,
    requester: Requester,
  ): Promise<string[]> {
    const { people } = await openQuery(this.#sources, {
      project,
      query,
      requester,
    });
    return people(MOST_PEOPLE);
  }

  /** Returns a page of the people of a cohort, with most events first. */
  async list(
    caller: Caller,
    asked: {
      projectId: string;
      id: number;
      page: { search?: string; limit: number; offset: number };
      requester: Requester;
    },
  ): Promise<{ persons: ListedPerson[]; count: number; has_more: boolean }> {
    const { projectId, id, page, requester } = asked;
    const project = await this.#projects.openPeople(caller, projectId);
    const query: Query = {
      kind: 'ActorsQuery',
      properties: [{ key: 'id', type: 'cohort', value: id, operator: 'in' }],
      ...page,
    };
    const opened = await openQuery(this.#sources, {
      project,
      query,
      requester,
    });
    const answer = await opened.answer();
    const count = 'actor_count' in answer ? (answer.actor_count ?? 0) : 0;
    return {
      persons: answer.results.flat() as ListedPerson[],
      count,
      has_more: answer.hasMore ?? false,
    };
  }
}
