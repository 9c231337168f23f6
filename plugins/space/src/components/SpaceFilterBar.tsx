import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Combobox } from '@backstage/ui';
import { useTitles } from '@slipway/app-react';
import {
  type DayRange,
  daysIn,
  FilterBar,
  PeriodPicker,
  resolvePeriod,
  today,
  useUrlFilters,
} from '@slipway/design-system';
import {
  type Granularity,
  GRANULARITIES,
  type SpaceQuery,
} from '../api/SpaceApi';
import { useTeams } from '../queries';
import { spaceTranslationRef } from '../translation';
import styles from './SpaceFilterBar.module.css';

/** The team, period and granularity of a page, from its URL. */
export interface View {
  filters: ReturnType<typeof useUrlFilters<'team' | 'period'>>;
  period: DayRange;
  /** Length of the period in days. */
  days: number;
  granularity: Granularity;
  setGranularity(granularity: Granularity): void;
  /** Team and period as parameters of a request. */
  query: SpaceQuery;
  /** True if the page is about one team, which cannot be changed. */
  isOfTeam: boolean;
}

/**
 * Reads the team, period and granularity, which all pages share, from the URL.
 *
 * @param ofTeam - the fixed team of a page about one team.
 */
export function useView(ofTeam?: string): View {
  const url = useUrlFilters({ team: '', period: '' });
  const filters =
    ofTeam === undefined
      ? url
      : { ...url, values: { ...url.values, team: ofTeam } };
  const series = useUrlFilters({ granularity: 'weekly' });
  const { team, period: periodText } = filters.values;
  const period = resolvePeriod(periodText, today());
  return {
    filters,
    period,
    days: daysIn(period),
    granularity:
      GRANULARITIES.find(known => known === series.values.granularity) ??
      'weekly',
    setGranularity: granularity => series.set('granularity', granularity),
    query: { ...(team && { team }), ...period },
    isOfTeam: ofTeam !== undefined,
  };
}

const DAY_MS = 86_400_000;

/** Returns the query for the preceding period of equal length. */
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

/** Filters for team and period, shared by all pages with numbers. */
export function SpaceFilterBar(props: {
  view: View;
  count?: { shown: number; total: number; noun: readonly [string, string] };
}) {
  const { view, count } = props;
  const { filters, period } = view;
  return (
    <FilterBar filters={filters} count={count}>
      {!view.isOfTeam && (
        <TeamPicker
          value={filters.values.team}
          onChange={value => filters.set('team', value)}
        />
      )}
      <PeriodPicker
        value={filters.values.period}
        period={period}
        onChange={value => filters.set('period', value)}
      />
    </FilterBar>
  );
}

const EVERYBODY = '*';

/** Selects one team or all, by typing or from the list. */
function TeamPicker(props: {
  /** The team in the format of the URL; empty for all teams. */
  value: string;
  onChange(value: string): void;
}) {
  const { value, onChange } = props;
  const { t } = useTranslationRef(spaceTranslationRef);
  const { data: teams } = useTeams();
  // The team of the URL is listed even if it has no data yet.
  const names = [...new Set([...(teams ?? []), ...(value ? [value] : [])])];
  const titleOf = useTitles(names, { kind: 'group' });
  const options = [
    { id: EVERYBODY, label: t('filter.everybody') },
    ...names
      .map(name => ({ id: name, label: titleOf(name) }))
      .sort((one, other) => one.label.localeCompare(other.label)),
  ];
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
