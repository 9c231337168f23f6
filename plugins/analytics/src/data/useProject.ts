import { useUrlFilters } from '@slipway/design-system';
import { useProjects } from './useEvents';

/** The project that the URL names, or the first. */
export function useProject() {
  const { values, set } = useUrlFilters({ project: '' });
  const list = useProjects();
  const projects = list.data?.projects ?? [];
  const project =
    projects.find(({ id }) => id === values.project) ?? projects[0];
  return {
    list,
    project,
    choose: (id: string) => set('project', id === projects[0]?.id ? '' : id),
    /** The query that links to the other pages carry. */
    search: values.project
      ? `?project=${encodeURIComponent(values.project)}`
      : '',
  };
}
