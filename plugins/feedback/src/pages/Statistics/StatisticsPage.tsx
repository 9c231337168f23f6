import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ReadFailure } from '@slipway/app-react';
import {
  FilterBar,
  LoadingBlock,
  PeriodPicker,
  resolvePeriod,
  useUrlFilters,
} from '@slipway/design-system';
import { useStatistics } from '../../data/useFeedback';
import { feedbackTranslationRef } from '../../translation';
import { today } from '../Triage/useTriageView';
import { Numbers } from './Numbers';

/** Feedback of a period in numbers. */
export function StatisticsPage() {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const filters = useUrlFilters({ period: '' });
  const period = resolvePeriod(filters.values.period, today());
  const { data, error, isPending, refetch } = useStatistics(period);
  return (
    <>
      <FilterBar filters={filters}>
        <PeriodPicker
          value={filters.values.period}
          period={period}
          onChange={value => filters.set('period', value)}
        />
      </FilterBar>
      {isPending && (
        <LoadingBlock label={t('statistics.loading')} height={360} />
      )}
      {error && !data && (
        <ReadFailure
          title={t('statistics.failed')}
          error={error}
          onRetry={() => refetch()}
        />
      )}
      {data && <Numbers statistics={data} />}
    </>
  );
}
