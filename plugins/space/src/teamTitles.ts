import { useApiHolder } from '@backstage/frontend-plugin-api';
import { entityPresentationApiRef } from '@backstage/plugin-catalog-react';
import { useQuery } from '@tanstack/react-query';

/** Time for which titles are considered fresh, because they change rarely. */
const FRESH_MS = 5 * 60_000;

/**
 * Returns a function from the names of teams, such as `demo/checkout`, to their titles in the
 * catalog. Until the titles have loaded, and for teams that are not in the catalog, it returns the
 * name.
 */
export function useTeamTitles(
  teams: readonly string[],
): (team: string) => string {
  const api = useApiHolder().get(entityPresentationApiRef);
  const titles = useQuery({
    queryKey: ['team titles', teams],
    queryFn: async () =>
      new Map(
        await Promise.all(
          teams.map(async team => {
            const { primaryTitle } = await api!.forEntity(refOf(team)).promise;
            return [team, primaryTitle] as const;
          }),
        ),
      ),
    enabled: api !== undefined && teams.length > 0,
    staleTime: FRESH_MS,
  });
  return team => titles.data?.get(team) ?? team;
}

/** Returns the entity reference of a team; its namespace is part of its name unless it is `default`. */
function refOf(team: string): string {
  return `group:${team.includes('/') ? team : `default/${team}`}`;
}
