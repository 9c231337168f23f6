import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Loaded } from '@slipway/app-react';
import { LoadingRows } from '@slipway/design-system';
import { Link } from 'react-router-dom';
import { usePersonCohorts } from '../peopleQueries';
import { analyticsTranslationRef } from '../translation';
import { AddToList } from './AddToList';
import styles from '../analytics.module.css';

/** Lists the cohorts that a person is in, as links, and adds the person to fixed lists. */
export function PersonCohorts(props: { projectId: string; personId: string }) {
  const { projectId, personId } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const addressOf = (id: number) =>
    `/analytics/cohorts?${new URLSearchParams({ project: projectId, cohort: String(id) }).toString()}`;
  return (
    <section aria-label={t('cohorts.title')}>
      <h3 className={styles.heading}>{t('cohorts.title')}</h3>
      <Loaded
        query={usePersonCohorts(projectId, personId)}
        failed={t('cohorts.failed')}
        loading={<LoadingRows label={t('cohorts.loading')} rows={1} />}
      >
        {cohorts => (
          <div className={styles.stack}>
            {cohorts.length === 0 ? (
              <p className={styles.text}>{t('people.noCohorts')}</p>
            ) : (
              <ul className={styles.links}>
                {cohorts.map(({ id, name, is_static: isList }) => (
                  <li key={id}>
                    <Link to={addressOf(id)}>{name}</Link>
                    <span className={styles.quiet}>
                      {t(`cohorts.types.${isList ? 'list' : 'conditions'}`)}
                    </span>
                  </li>
                ))}
              </ul>
            )}
            <div className={styles.actions}>
              <AddToList
                projectId={projectId}
                readIds={async () => [personId]}
                without={cohorts.map(({ id }) => id)}
              />
            </div>
          </div>
        )}
      </Loaded>
    </section>
  );
}
