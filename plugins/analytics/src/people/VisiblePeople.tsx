import type { ReactNode } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { EmptyState } from '@slipway/design-system';
import { useProject } from '../projectQueries';
import { analyticsTranslationRef } from '../translation';

/** Shows people of the current project, or a notice that the project hides them. */
export function VisiblePeople(props: {
  children(projectId: string, mayDelete: boolean): ReactNode;
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { list, project } = useProject();
  if (!project) {
    return null;
  }
  return project.hidesPeople ? (
    <EmptyState
      title={t('people.hiddenTitle')}
      description={t('people.hiddenDescription')}
    />
  ) : (
    <>{props.children(project.id, list.data?.mayManage ?? false)}</>
  );
}
