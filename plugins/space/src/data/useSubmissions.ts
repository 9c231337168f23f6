import { useApi } from '@backstage/frontend-plugin-api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SpaceApi, spaceApiRef } from '../api/SpaceApi';

/** Sends something; whatever was read before may have changed with it. */
function useSubmission<I, O>(submit: (api: SpaceApi, input: I) => Promise<O>) {
  const api = useApi(spaceApiRef);
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: I) => submit(api, input),
    onSuccess: () => client.invalidateQueries(),
  });
}

/** Sends a pulse survey. */
export function useSubmitPulse() {
  return useSubmission((api, pulse: Parameters<SpaceApi['submitPulse']>[0]) =>
    api.submitPulse(pulse),
  );
}

/** Logs friction. */
export function useSubmitFriction() {
  return useSubmission(
    (api, friction: Parameters<SpaceApi['submitFriction']>[0]) =>
      api.submitFriction(friction),
  );
}

/** Sends an assessment of cognitive load. */
export function useSubmitAssessment() {
  return useSubmission(
    (api, assessment: Parameters<SpaceApi['submitAssessment']>[0]) =>
      api.submitAssessment(assessment),
  );
}

/** Erases what is stored of the reader. */
export function useEraseMyRecords() {
  return useSubmission((api, _: void) => api.eraseMyRecords());
}
