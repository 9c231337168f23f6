import { FilterBar, PeriodPicker } from '@slipway/design-system';
import type { View } from '../data/useView';
import { TeamPicker } from './TeamPicker';

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
