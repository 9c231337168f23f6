import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  pagesOfService,
  useServiceChange,
  useServiceQuery,
} from '@slipway/app-react';
import { keepPreviousData } from '@tanstack/react-query';
import { useRef } from 'react';
import type {
  BallotFilter,
  Issue,
  StatusMove,
  Submission,
  TriageFilter,
} from './api/Feedback';
import { feedbackApiRef, type FeedbackApi } from './api/FeedbackApi';
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

/** Reads a page of the user's feedback, limited to an entity if its reference is given. */
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
  const inOrder = useSteadyOrder();
  return useServiceQuery(
    feedbackApiRef,
    ['triage', filter, page],
    (api, call) =>
      inOrder(votesUntil => api.list({ ...filter, votesUntil }, page, call)),
    { placeholderData: keepPreviousData },
  );
}

/** Reads a page of the feedback that is open for voting. */
export function useBallots(filter: Partial<BallotFilter>, page: number) {
  const inOrder = useSteadyOrder();
  return useServiceQuery(
    feedbackApiRef,
    ['ballots', filter, page],
    (api, call) =>
      inOrder(votesUntil =>
        api.listBallots({ ...filter, votesUntil }, { number: page }, call),
      ),
    { placeholderData: keepPreviousData },
  );
}

/**
 * Returns a function that reads the pages of a list in the same order for as long as the list is
 * shown, so that votes do not move rows under the pointer or to another page.
 */
function useSteadyOrder() {
  const until = useRef<string>(undefined);
  return async <P extends { votesUntil?: string }>(
    read: (votesUntil: string | undefined) => Promise<P>,
  ): Promise<P> => {
    const found = await read(until.current);
    until.current = found.votesUntil ?? until.current;
    return found;
  };
}

/** Searches the titles of entries that are open for voting, most votes first. */
export function useBallotSearch(q: string) {
  return useServiceQuery(
    feedbackApiRef,
    ['ballot-search', q],
    (api, call) => api.listBallots({ q }, { number: 1 }, call),
    { placeholderData: keepPreviousData },
  );
}

/** Maximum number of entries to compare with; those with the most votes are chosen. */
const MOST_BALLOTS = 100;

/** Reads the entries with the most votes, to compare their titles with what the user writes. */
export function useTopBallots(options: { isEnabled: boolean }) {
  return useServiceQuery(
    feedbackApiRef,
    ['top-ballots'],
    (api, call) => api.listBallots({}, { number: 1, size: MOST_BALLOTS }, call),
    { enabled: options.isEnabled },
  );
}

/** Reads the public part of feedback that is open for voting. */
export function useBallot(id: string) {
  return useServiceQuery(feedbackApiRef, ['ballot', id], (api, call) =>
    api.getBallot(id, call),
  );
}

/** Reads a page of the voters of feedback. */
export function useVoters(id: string, page: number) {
  return useServiceQuery(
    feedbackApiRef,
    ['voters', id, page],
    (api, call) => api.getVoters(id, page, call),
    { placeholderData: keepPreviousData },
  );
}

/** Casts or withdraws a vote for feedback. */
export function useVote(id: string) {
  return useServiceChange(feedbackApiRef, (api, hasVoted: boolean) =>
    api.setVote(id, hasVoted),
  );
}

/** Opens feedback for voting under a title, or closes it if there is no title. */
export function useVoting(id: string) {
  return useServiceChange(feedbackApiRef, (api, title: string | undefined) =>
    title === undefined ? api.closeVoting(id) : api.openVoting(id, title),
  );
}

/** Changes the public note of feedback that is open for voting. */
export function usePublicNote(id: string) {
  return useServiceChange(
    feedbackApiRef,
    (api, note: Parameters<FeedbackApi['setPublicNote']>[1]) =>
      api.setPublicNote(id, note),
  );
}

/** Merges feedback into other feedback. */
export function useMerge(id: string) {
  return useServiceChange(
    feedbackApiRef,
    (api, merge: Parameters<FeedbackApi['merge']>[1]) => api.merge(id, merge),
  );
}

/** Undoes the merging of feedback. */
export function useUndoMerge(id: string) {
  return useServiceChange(feedbackApiRef, (api, _: void) => api.undoMerge(id));
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
  return useServiceChange(feedbackApiRef, (api, change: StatusMove) =>
    api.changeStatus(id, change),
  );
}

/** Adds a reply or a note to feedback. */
export function useAddReply(id: string) {
  return useServiceChange(
    feedbackApiRef,
    (api, reply: Parameters<FeedbackApi['addReply']>[1]) =>
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
