import {
  FilterBar,
  type FilterSelect,
  PeriodPicker,
  type UrlFilters,
} from '@slipway/design-system';
import type { View } from '../../data/useView';
import { ScopePicker } from './ScopePicker';

/** Scope, period and what else a page can be filtered by. */
export function LakeFilterBar<K extends string>(props: {
  view: View;
  /** With `scope` and `period` among its keys. */
  filters: UrlFilters<K | 'scope' | 'period'>;
  selects?: readonly FilterSelect<K | 'scope' | 'period'>[];
  search?: { key: K; label: string };
  count?: { shown: number; total: number; noun: readonly [string, string] };
}) {
  const { view, filters, selects, search, count } = props;
  return (
    <FilterBar
      filters={filters}
      search={search}
      selects={selects}
      count={count}
    >
      <ScopePicker
        value={filters.values.scope}
        onChange={value => filters.set('scope', value)}
      />
      <PeriodPicker
        value={filters.values.period}
        period={view.period}
        onChange={value => filters.set('period', value)}
      />
    </FilterBar>
  );
}
