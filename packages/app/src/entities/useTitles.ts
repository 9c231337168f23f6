import { useApi } from '@backstage/frontend-plugin-api';
import { entityPresentationApiRef } from '@backstage/plugin-catalog-react';
import { useLoaded } from './useLoaded';

/**
 * Returns a function from references to titles of entities, for texts that cannot be links, such
 * as the options of a filter. Until the titles have loaded, it returns what is known without a
 * request, such as names.
 *
 * @param refs - needs no memoization as long as its content stays the same.
 */
export function useTitles(refs: readonly string[]): (ref: string) => string {
  const api = useApi(entityPresentationApiRef);
  const titles = useLoaded(
    async () =>
      new Map(
        await Promise.all(
          refs.map(async ref => {
            const { primaryTitle } = await api.forEntity(ref).promise;
            return [ref, primaryTitle] as const;
          }),
        ),
      ),
    [api, refs.join()],
  );
  return ref =>
    (titles.state === 'ready' && titles.value.get(ref)) ||
    api.forEntity(ref).snapshot.primaryTitle;
}
