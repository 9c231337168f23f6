import { useApi } from '@backstage/frontend-plugin-api';
import { useQuery } from '@tanstack/react-query';
import { spaceApiRef } from '../api/SpaceApi';

/** The form from which the assessment is built; it changes with the service alone. */
export function useAssessmentForm() {
  const api = useApi(spaceApiRef);
  return useQuery({
    queryKey: ['assessment-form'],
    queryFn: ({ signal }) => api.getAssessmentForm({ signal }),
    staleTime: Infinity,
  });
}
