import {
  identityApiRef,
  useApi,
  useApiHolder,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import {
  pagesOfService,
  reloadAll,
  useServiceChange,
  useServiceQuery,
} from '@slipway/app-react';
import { resolvePeriod, today } from '@slipway/design-system';
import {
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import {
  type Assessment,
  type DimensionName,
  DIMENSIONS,
  type Friction,
  type Granularity,
  type Pulse,
  type ReminderChange,
  spaceApiRef,
  type SpaceQuery,
} from './api/SpaceApi';
import { spaceTranslationRef } from './translation';

/** The wrapper of this plugin's pages, cards and dialogs. */
export const servicePages = pagesOfService(() => {
  const { t } = useTranslationRef(spaceTranslationRef);
  return {
    name: t('service.name'),
    data: t('service.data'),
    endpoint: 'proxy.endpoints./space-metrics',
    access: t('service.access'),
  };
});

/** Time for which the names of teams are considered fresh, because they change rarely. */
const TEAMS_STALE_MS = 5 * 60_000;

/** Reads the teams by which a page can be filtered. */
export function useTeams() {
  return useServiceQuery(
    spaceApiRef,
    ['teams'],
    (api, call) => api.getTeams(call),
    { staleTime: TEAMS_STALE_MS },
  );
}

/** Reads the five dimensions, each as a separate query. */
export function useDimensions(query: SpaceQuery, granularity: Granularity) {
  const api = useApi(spaceApiRef);
  return useQueries({
    queries: DIMENSIONS.map(name => ({
      queryKey: ['dimension', name, query, granularity],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.getDimension(name, { ...query, granularity }, { signal }),
    })),
  });
}

/** Reads one dimension; disabled while the query is unknown. */
export function useDimension(
  name: DimensionName,
  query: SpaceQuery | undefined,
  granularity: Granularity = 'weekly',
) {
  return useServiceQuery(
    spaceApiRef,
    ['dimension', name, query, granularity],
    (api, call) => api.getDimension(name, { ...query!, granularity }, call),
    { enabled: query !== undefined },
  );
}

/** Reads all values of a period, for comparison. */
export function useValues(query: SpaceQuery) {
  return useServiceQuery(spaceApiRef, ['values', query], (api, call) =>
    api.getValues(query, call),
  );
}

/** Reads friction by category; disabled while the query is unknown. */
export function useTopFriction(query: SpaceQuery | undefined) {
  return useServiceQuery(
    spaceApiRef,
    ['friction', query],
    (api, call) => api.getTopFriction(query!, call),
    { enabled: query !== undefined },
  );
}

/** Reads the definition of the assessment, which only changes with the version of the service. */
export function useAssessmentForm() {
  return useServiceQuery(
    spaceApiRef,
    ['assessment-form'],
    (api, call) => api.getAssessmentForm(call),
    { staleTime: Infinity },
  );
}

const REMINDER = ['reminder'];

/** Reads when the user's next survey is due. */
export function useReminder() {
  return useServiceQuery(spaceApiRef, REMINDER, (api, call) =>
    api.getReminder(call),
  );
}

/** Snoozes, stops or restarts the reminder. */
export function useChangeReminder() {
  const api = useApi(spaceApiRef);
  const app = useApiHolder();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: ReminderChange) => api.changeReminder(change),
    onSuccess(reminder) {
      client.setQueryData(REMINDER, reminder);
      // The inbox shows the survey too.
      reloadAll(app, client);
    },
  });
}

/** Submits a pulse survey. */
export function useSubmitPulse() {
  return useServiceChange(spaceApiRef, (api, pulse: Pulse) =>
    api.submitPulse(pulse),
  );
}

/** Logs friction. */
export function useSubmitFriction() {
  return useServiceChange(spaceApiRef, (api, friction: Friction) =>
    api.submitFriction(friction),
  );
}

/** Submits a cognitive load assessment. */
export function useSubmitAssessment() {
  return useServiceChange(spaceApiRef, (api, assessment: Assessment) =>
    api.submitAssessment(assessment),
  );
}

/**
 * Reads the data stored about the user; null if there is none, because queries cannot return
 * undefined.
 */
export function useMyRecords() {
  return useServiceQuery(
    spaceApiRef,
    ['mine'],
    async (api, call) => (await api.getMyRecords(call)) ?? null,
  );
}

/** Deletes the data stored about the user. */
export function useEraseMyRecords() {
  return useServiceChange(spaceApiRef, (api, _: void) => api.eraseMyRecords());
}

/**
 * Returns the service's name of a group: `payments`, or `shop/payments` outside the default
 * namespace.
 */
function teamOf(entityRef: string): string {
  return entityRef
    .toLocaleLowerCase('en-US')
    .replace(/^group:/, '')
    .replace(/^default\//, '');
}

/** Returns the first team with data that the user belongs to, and the query for its last 30 days. */
export function useMyTeam(): {
  /** Undefined for a user without a team, whose query covers everyone. */
  team: string | undefined;
  /**
   * Undefined while the team is loading, so that numbers about everyone are not shown in its place;
   * a query for everyone if it could not be loaded.
   */
  query: SpaceQuery | undefined;
} {
  const identityApi = useApi(identityApiRef);
  const identity = useQuery({
    queryKey: ['identity'],
    queryFn: () => identityApi.getBackstageIdentity(),
  });
  const teams = useTeams();
  const mine = identity.data?.ownershipEntityRefs.map(teamOf) ?? [];
  const team = teams.data?.find(name => mine.includes(name));
  const isPending = identity.isPending || teams.isPending;
  return {
    team,
    query: isPending
      ? undefined
      : { ...(team && { team }), ...resolvePeriod('', today()) },
  };
}
