import { useServiceChange, useServiceQuery } from '@slipway/app-react';
import {
  type Cohort,
  type CohortChanges,
  cohortsApiRef,
  type ListChanges,
  type NewCohort,
} from '../api/CohortsApi';
import type { Project } from '../api/EventsApi';

/** Queries the cohorts of a project, once it is known; never if it hides people. */
export function useCohorts(project: Project | undefined) {
  const projectId = project?.hidesPeople ? undefined : project?.id;
  return useServiceQuery(
    cohortsApiRef,
    ['cohorts', projectId],
    (api, call) => api.getCohorts(projectId!, call),
    { enabled: projectId !== undefined },
  );
}

export function useCreateCohort(projectId: string) {
  return useServiceChange(cohortsApiRef, (api, cohort: NewCohort) =>
    api.createCohort(projectId, cohort),
  );
}

export function useChangeCohort(projectId: string) {
  return useServiceChange(
    cohortsApiRef,
    (api, { of, changes }: { of: Cohort; changes: CohortChanges }) =>
      api.changeCohort(projectId, of, changes),
  );
}

/** Adds users to a fixed list, or removes them. */
export function useChangeList(projectId: string, id: number) {
  return useServiceChange(cohortsApiRef, (api, changes: ListChanges) =>
    api.changeList(projectId, id, changes),
  );
}

export function useDeleteCohort(projectId: string) {
  return useServiceChange(cohortsApiRef, (api, of: Cohort) =>
    api.deleteCohort(projectId, of),
  );
}

/** Creates a cohort with the same conditions or users as another. */
export function useDuplicateCohort(projectId: string) {
  return useServiceChange(cohortsApiRef, (api, { id }: Cohort) =>
    api.duplicateCohort(projectId, id),
  );
}
