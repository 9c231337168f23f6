import { useApi } from '@backstage/frontend-plugin-api';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { feedbackApiRef } from '../api/FeedbackApi';
import type { TriageFilter } from '../api/types';

/** They change with the configuration. */
const OPTIONS_STALE_MS = 10 * 60_000;

/** What the reader can choose, and do. */
export function useOptions() {
  const api = useApi(feedbackApiRef);
  return useQuery({
    queryKey: ['options'],
    queryFn: ({ signal }) => api.getOptions({ signal }),
    staleTime: OPTIONS_STALE_MS,
  });
}

/** What the reader sent. */
export function useMine(page: number) {
  const api = useApi(feedbackApiRef);
  return useQuery({
    queryKey: ['mine', page],
    queryFn: ({ signal }) => api.getMine(page, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** All feedback. */
export function useTriage(filter: TriageFilter, page: number) {
  const api = useApi(feedbackApiRef);
  return useQuery({
    queryKey: ['triage', filter, page],
    queryFn: ({ signal }) => api.list(filter, page, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** One piece of feedback. */
export function useFeedback(id: string) {
  const api = useApi(feedbackApiRef);
  return useQuery({
    queryKey: ['feedback', id],
    queryFn: ({ signal }) => api.get(id, { signal }),
  });
}

/** Its screenshot, which never changes. */
export function useScreenshot(id: string) {
  const api = useApi(feedbackApiRef);
  return useQuery({
    queryKey: ['screenshot', id],
    queryFn: ({ signal }) => api.getScreenshot(id, { signal }),
    staleTime: Infinity,
  });
}

/** Feedback of a period in numbers. */
export function useStatistics(period: { startDate: string; endDate: string }) {
  const api = useApi(feedbackApiRef);
  return useQuery({
    queryKey: ['statistics', period],
    queryFn: ({ signal }) => api.getStatistics(period, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** An issue of the embedded tracker. */
export function useIssue(number: string) {
  const api = useApi(feedbackApiRef);
  return useQuery({
    queryKey: ['issue', number],
    queryFn: ({ signal }) => api.getIssue(number, { signal }),
  });
}
