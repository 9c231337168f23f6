import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  pagesOfService,
  useServiceChange,
  useServiceQuery,
} from '@slipway/app-react';
import { keepPreviousData } from '@tanstack/react-query';
import {
  feedbackApiRef,
  type Issue,
  type ReplyDraft,
  type Status,
  type Submission,
  type TriageFilter,
} from './api/FeedbackApi';
import { feedbackTranslationRef } from './translation';

/** The wrapper of this plugin's pages, cards and dialogs. */
export const servicePages = pagesOfService(() => {
  const { t } = useTranslationRef(feedbackTranslationRef);
  return {
    name: t('service.name'),
    data: t('service.data'),
    endpoint: 'proxy.endpoints./feedback',
    access: t('service.access'),
  };
});

/** Options only change with the configuration. */
const OPTIONS_STALE_MS = 10 * 60_000;

/** Reads the user's choices and permissions. */
export function useOptions() {
  return useServiceQuery(
    feedbackApiRef,
    ['options'],
    (api, call) => api.getOptions(call),
    { staleTime: OPTIONS_STALE_MS },
  );
}

/** Reads a page of the user's feedback, of one component if its reference is given. */
export function useMine(page: number, component?: string) {
  return useServiceQuery(
    feedbackApiRef,
    ['mine', page, component],
    (api, call) => api.getMine({ page, component }, call),
    { placeholderData: keepPreviousData },
  );
}

/** Reads a page of all feedback. */
export function useTriage(filter: Partial<TriageFilter>, page: number) {
  return useServiceQuery(
    feedbackApiRef,
    ['triage', filter, page],
    (api, call) => api.list(filter, page, call),
    { placeholderData: keepPreviousData },
  );
}

/** Reads feedback with all fields. */
export function useFeedback(id: string) {
  return useServiceQuery(feedbackApiRef, ['feedback', id], (api, call) =>
    api.get(id, call),
  );
}

/** Reads a screenshot, which never changes. */
export function useScreenshot(id: string) {
  return useServiceQuery(
    feedbackApiRef,
    ['screenshot', id],
    (api, call) => api.getScreenshot(id, call),
    { staleTime: Infinity },
  );
}

/** Reads the statistics of a period. */
export function useStatistics(period: { startDate: string; endDate: string }) {
  return useServiceQuery(
    feedbackApiRef,
    ['statistics', period],
    (api, call) => api.getStatistics(period, call),
    { placeholderData: keepPreviousData },
  );
}

/** Reads an issue of the embedded tracker. */
export function useIssue(number: string) {
  return useServiceQuery(feedbackApiRef, ['issue', number], (api, call) =>
    api.getIssue(number, call),
  );
}

/** Sends feedback. */
export function useSubmit() {
  return useServiceChange(feedbackApiRef, (api, submission: Submission) =>
    api.submit(submission),
  );
}

/** Changes the status of feedback. */
export function useChangeStatus(id: string) {
  return useServiceChange(
    feedbackApiRef,
    (api, change: { status: Status; notes: string }) =>
      api.changeStatus(id, change),
  );
}

/** Adds a reply or a note to feedback. */
export function useAddReply(id: string) {
  return useServiceChange(feedbackApiRef, (api, reply: ReplyDraft) =>
    api.addReply(id, reply),
  );
}

/** Deletes a reply to feedback. */
export function useDeleteReply(id: string) {
  return useServiceChange(feedbackApiRef, (api, replyId: string) =>
    api.deleteReply(id, replyId),
  );
}

/** Deletes feedback. */
export function useDeleteFeedback() {
  return useServiceChange(feedbackApiRef, (api, id: string) => api.delete(id));
}

/** Creates issues for validated feedback. */
export function useRunAutomation() {
  return useServiceChange(feedbackApiRef, (api, _: void) =>
    api.runAutomation(),
  );
}

/** Closes or reopens an issue. */
export function useChangeIssue(number: number) {
  return useServiceChange(feedbackApiRef, (api, state: Issue['state']) =>
    api.changeIssue(number, state),
  );
}
