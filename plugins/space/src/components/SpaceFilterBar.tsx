import { useMemo } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Combobox } from '@backstage/ui';
import {
  type DayRange,
  daysIn,
  FilterBar,
  PeriodPicker,
  resolvePeriod,
  today,
  useUrlFilters,
} from '@slipway/design-system';
import type { Granularity, SpaceQuery } from '../api/SpaceApi';
import { useTeams } from '../queries';
import { spaceTranslationRef } from '../translation';
import styles from './SpaceFilterBar.module.css';

const GRANULARITIES: readonly Granularity[] = ['daily', 'weekly', 'monthly'];

/** What a page shows, as its URL says. */
export interface View {
  filters: ReturnType<typeof useUrlFilters<'team' | 'period'>>;
  period: DayRange;
  /** Length of the period. */
  days: number;
  granularity: Granularity;
  setGranularity(granularity: Granularity): void;
  /** Team and period as parameters of a request. */
  query: SpaceQuery;
}

/** Team, period and granularity of the URL, which all pages share. */
export function useView(): View {
  const filters = useUrlFilters({ team: '', period: '' });
  const series = useUrlFilters({ granularity: '' });
  const { team, period: periodText } = filters.values;
  const date = today();
  const query = useMemo(() => {
    const period = resolvePeriod(periodText, date);
    return { ...(team && { team }), ...period };
  }, [team, periodText, date]);
  const { startDate, endDate } = query;
  return {
    filters,
    period: { startDate, endDate },
    days: daysIn(query),
    granularity:
      GRANULARITIES.find(known => known === series.values.granularity) ??
      'weekly',
    setGranularity: granularity =>
      series.set('granularity', granularity === 'weekly' ? '' : granularity),
    query,
  };
}

const DAY_MS = 86_400_000;

/** The same of the period of equal length straight before. */
export function previousQuery(query: SpaceQuery): SpaceQuery {
  const days = daysIn(query);
  const before = (date: string) =>
    new Date(Date.parse(`${date}T00:00:00Z`) - days * DAY_MS)
      .toISOString()
      .slice(0, 10);
  return {
    ...query,
    startDate: before(query.startDate),
    endDate: before(query.endDate),
  };
}

/** Team and period, which all pages that show numbers share. */
export function SpaceFilterBar(props: {
  view: View;
  count?: { shown: number; total: number; noun: readonly [string, string] };
}) {
  const { view, count } = props;
  const { filters, period } = view;
  return (
    <FilterBar filters={filters} count={count}>
      <TeamPicker
        value={filters.values.team}
        onChange={value => filters.set('team', value)}
      />
      <PeriodPicker
        value={filters.values.period}
        period={period}
        onChange={value => filters.set('period', value)}
      />
    </FilterBar>
  );
}

const EVERYBODY = '*';

/** Everybody or one team, by typing or from the list. */
function TeamPicker(props: {
  /** The team as written in the URL; empty for everybody. */
  value: string;
  onChange(value: string): void;
}) {
  const { value, onChange } = props;
  const { t } = useTranslationRef(spaceTranslationRef);
  const { data: teams } = useTeams();
  const options = useMemo(() => {
    // A team of the URL may have no data yet and still be the one that is shown.
    const names = new Set([...(teams ?? []), ...(value ? [value] : [])]);
    return [
      { id: EVERYBODY, label: t('filter.everybody') },
      ...[...names].sort().map(name => ({ id: name, label: name })),
    ];
  }, [teams, value, t]);
  return (
    <Combobox
      className={styles.team}
      size="small"
      aria-label={t('filter.team')}
      options={options}
      menuTrigger="focus"
      value={value || EVERYBODY}
      onChange={key => {
        if (key !== null) {
          onChange(key === EVERYBODY ? '' : String(key));
        }
      }}
    />
  );
}
