import { identityApiRef, useApi } from '@backstage/frontend-plugin-api';
import { resolvePeriod } from '@slipway/design-system';
import { useQuery } from '@tanstack/react-query';
import type { SpaceQuery } from '../api/SpaceApi';
import { useTeams } from './useMetrics';
import { today } from './useView';

/** Names the team of a group as the service does: `payments`, or `shop/payments` outside the default namespace. */
function teamOf(entityRef: string): string {
  return entityRef
    .toLocaleLowerCase('en-US')
    .replace(/^group:/, '')
    .replace(/^default\//, '');
}

/** The first team with data that the reader belongs to, and its last 30 days. */
export function useMyTeam(): {
  isPending: boolean;
  team: string | undefined;
  query: SpaceQuery;
} {
  const identityApi = useApi(identityApiRef);
  const identity = useQuery({
    queryKey: ['identity'],
    queryFn: () => identityApi.getBackstageIdentity(),
  });
  const teams = useTeams();
  const mine = identity.data?.ownershipEntityRefs.map(teamOf) ?? [];
  const team = teams.data?.find(name => mine.includes(name));
  return {
    isPending: identity.isPending || teams.isPending,
    team,
    query: { ...(team && { team }), ...resolvePeriod('', today()) },
  };
}
