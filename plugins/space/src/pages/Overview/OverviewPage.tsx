import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ButtonLink } from '@backstage/ui';
import { ReadFailure } from '@slipway/app-react';
import { EmptyState } from '@slipway/design-system';
import { SpaceFilterBar } from '../../components/SpaceFilterBar';
import { DIMENSIONS } from '../../api/types';
import { previousQuery } from '../../data/previousQuery';
import { useDimensions, useValues } from '../../data/useMetrics';
import { useLinks } from '../../data/useLinks';
import { useView } from '../../data/useView';
import { DueBanner } from '../../pulse/DueBanner';
import { spaceTranslationRef } from '../../translation';
import { DimensionPanel } from './DimensionPanel';
import { FrictionSummary } from './FrictionSummary';
import { GranularityPicker } from './GranularityPicker';
import { isMeasured } from './isMeasured';
import styles from './Overview.module.css';

/** The five dimensions of a team and a period. */
export function OverviewPage() {
  const { t } = useTranslationRef(spaceTranslationRef);
  const links = useLinks();
  const view = useView();
  const results = useDimensions(view.query, view.granularity);
  const before = useValues(previousQuery(view.query));
  const isEmpty = results.every(({ data }) => data && !isMeasured(data));
  const areAllFailed = results.every(({ data, error }) => error && !data);

  return (
    <>
      <DueBanner />
      <div className={styles.bar}>
        <SpaceFilterBar view={view} />
        <GranularityPicker view={view} />
      </div>
      {areAllFailed && (
        // The same failure five times over helps nobody.
        <ReadFailure
          title={t('overview.failed', { dimension: t('page.title') })}
          error={results[0].error}
          onRetry={() => results.forEach(({ refetch }) => refetch())}
        />
      )}
      {isEmpty && (
        <EmptyState
          title={t('overview.emptyTitle')}
          description={
            view.filters.isActive
              ? t('overview.emptyAdvice')
              : t('overview.emptyDescription')
          }
          action={
            <ButtonLink href={links.pulse()}>
              {t('overview.emptyAction')}
            </ButtonLink>
          }
        />
      )}
      {!areAllFailed && (
        <div className={styles.dimensions}>
          {DIMENSIONS.map((name, index) => (
            <DimensionPanel
              key={name}
              name={name}
              result={results[index]}
              before={before.data}
              view={view}
            />
          ))}
          <FrictionSummary view={view} />
        </div>
      )}
    </>
  );
}
