import { useApi } from '@backstage/frontend-plugin-api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FeedbackApi, feedbackApiRef } from '../api/FeedbackApi';
import type { Issue, Status, Submission } from '../api/types';

/** Changes something; whatever was read before may have changed with it. */
function useChange<I, O>(change: (api: FeedbackApi, input: I) => Promise<O>) {
  const api = useApi(feedbackApiRef);
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: I) => change(api, input),
    onSuccess: () => client.invalidateQueries(),
  });
}

/** Sends feedback. */
export function useSubmit() {
  return useChange((api, submission: Submission) => api.submit(submission));
}

/** Moves one piece of feedback. */
export function useChangeStatus(id: string) {
  return useChange((api, change: { status: Status; notes: string }) =>
    api.changeStatus(id, change),
  );
}

/** Turns validated feedback into issues. */
export function useRunAutomation() {
  return useChange((api, _: void) => api.runAutomation());
}

/** Closes or reopens an issue. */
export function useChangeIssue(number: number) {
  return useChange((api, state: Issue['state']) =>
    api.changeIssue(number, state),
  );
}
