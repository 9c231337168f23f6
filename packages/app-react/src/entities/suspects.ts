import { useApiHolder } from '@backstage/frontend-plugin-api';
import type { TimelineItem } from '@slipway/entity-contract';
import { useQueries } from '@tanstack/react-query';
import type { ActionSubject } from '../palette/palette';
import { entityPartsApiRef } from './entityParts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_ITEMS = 200;
const MAX_FLAGS = 3;
/** Time for which the changes are fresh. */
const FRESH_MS = 60_000;

/**
 * Checks whether an item is a change of a flag that may have caused a failure: one in the day
 * before it, or as it began.
 *
 * @param at - when it failed, in ISO 8601.
 */
export function isSuspectedFlag(
  { kind, at: changedAt }: Pick<TimelineItem, 'kind' | 'at'>,
  at: string,
): boolean {
  const ago = Date.parse(at) - Date.parse(changedAt);
  return kind === 'flag' && ago <= DAY_MS && ago >= -HOUR_MS;
}

/**
 * Fetches the flags that may have made a component fail, for actions that turn them off. Parts that
 * are missing or fail contribute no flags.
 *
 * @param entityRef - the component; fetches nothing if undefined.
 * @param at - when it failed, in ISO 8601.
 */
export function useSuspectedFlags(
  entityRef: string | undefined,
  at: string,
): readonly ActionSubject[] {
  const api = useApiHolder().get(entityPartsApiRef);
  const parts = (api?.list() ?? []).filter(({ kinds }) =>
    kinds.includes('flag'),
  );
  const failedAt = Date.parse(at);
  const from = new Date(failedAt - DAY_MS).toISOString();
  // Without an end, the newest changes would crowd out those before an old failure.
  const to = new Date(failedAt + HOUR_MS + 1).toISOString();
  const answers = useQueries({
    queries: parts.map(part => ({
      queryKey: ['entity-suspects', part.id, entityRef, from],
      queryFn: () =>
        api!.timeline(part, entityRef!, { from, to, limit: MAX_ITEMS }),
      enabled: entityRef !== undefined,
      staleTime: FRESH_MS,
    })),
  });
  const pages = answers
    .flatMap(({ data }) => data?.items ?? [])
    .filter(item => isSuspectedFlag(item, at))
    .flatMap(({ page, title }) =>
      page === undefined ? [] : [{ page, title }],
    );
  return [...new Map(pages.map(flag => [flag.page, flag])).values()]
    .slice(0, MAX_FLAGS)
    .map(flag => ({ ...flag, kind: 'flag', failed: true }));
}
