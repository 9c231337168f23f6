import type { Actor, PeopleApi, PeopleSource } from '../api/PeopleApi';

/** Maximum number of users that the service returns per request. */
const AT_ONCE = 200;

/** Maximum number of users to read: as many as a fixed list may have. */
export const MOST_ACTORS = 10_000;

/** Reads the users behind a number, page by page, up to {@link MOST_ACTORS}. */
export async function readActors(
  api: PeopleApi,
  projectId: string,
  asked: { of: PeopleSource; search: string; signal?: AbortSignal },
): Promise<Actor[]> {
  const all = new Map<string, Actor>();
  for (let offset = 0, more = true; more && offset < MOST_ACTORS;) {
    const { actors, total } = await api.getActors(projectId, {
      ...asked,
      limit: AT_ONCE,
      offset,
    });
    // New events may move a user to a later page, so the same user may arrive twice.
    actors.forEach(actor => all.set(actor.id, actor));
    offset += actors.length;
    more = actors.length > 0 && offset < total;
  }
  return [...all.values()];
}
