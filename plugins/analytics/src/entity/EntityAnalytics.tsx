import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { useEntity } from '@backstage/plugin-catalog-react';
import { Loaded } from '@slipway/app-react';
import { EmptyState, LoadingRows } from '@slipway/design-system';
import { WebOverview } from '../pages/WebPage';
import { useProjects } from '../projectQueries';
import { analyticsTranslationRef } from '../translation';

/** The annotation that lists the projects with a component's events, separated by commas. */
const ANNOTATION = 'slipway.dev/analytics-project';

/**
 * A tab of a component's page that shows the visitors of its product, for each project that
 * the user can read.
 */
export function EntityAnalytics() {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { entity } = useEntity();
  const named = (entity.metadata.annotations?.[ANNOTATION] ?? '')
    .split(',')
    .map(id => id.trim());
  return (
    <Loaded
      query={useProjects()}
      failed={t('page.failed')}
      loading={<LoadingRows label={t('page.loading')} rows={6} />}
    >
      {({ projects }) => {
        const readable = projects.filter(({ id }) => named.includes(id));
        if (readable.length === 0) {
          return (
            <EmptyState
              title={t('entity.hiddenTitle')}
              description={t('entity.hiddenDescription', {
                projects: named.join(', '),
              })}
            />
          );
        }
        return (
          <>
            {readable.map(project => (
              <section key={project.id} aria-label={project.name}>
                {readable.length > 1 && <h2>{project.name}</h2>}
                <WebOverview project={project} />
              </section>
            ))}
          </>
        );
      }}
    </Loaded>
  );
}
