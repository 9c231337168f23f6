import { ReactNode } from 'react';
import { Button, SearchField, Select } from '@backstage/ui';
import { messages } from '../../messages';
import { Filters } from './useUrlFilters';
import './FilterBar.css';

/** A filter with fixed options; the empty value means any. */
export interface FilterSelect<K extends string = string> {
  key: K;
  label: string;
  /** Label of the empty value; defaults to "Any". */
  anyLabel?: string;
  options: readonly { value: string; label: string }[];
  /** True if one of the options always applies, so that there is no empty value. */
  isRequired?: true;
}

/** Props of {@link FilterBar}. */
export interface FilterBarProps<K extends string = string> {
  /** The result of `useUrlFilters`, or filters that are kept elsewhere. */
  filters: Filters<K>;
  search?: { key: K; label: string };
  selects?: readonly FilterSelect<K>[];
  /** `noun` in singular and plural. Omit it while the list is loading. */
  count?: { shown: number; total: number; noun: readonly [string, string] };
  /** The page's own fields, before the selects. */
  children?: ReactNode;
}

// Select does not allow an item with an empty key.
const ANY = '__any__';

/** Search, filters, count and a Clear button above a list. Changes of the count are announced. */
export function FilterBar<K extends string>(props: FilterBarProps<K>) {
  const { filters, search, selects = [], count, children } = props;
  return (
    <div className="slw-FilterBar" role="search">
      {search && (
        <SearchField
          className="slw-FilterBarSearch"
          size="small"
          aria-label={search.label}
          placeholder={search.label}
          value={filters.values[search.key]}
          onChange={value => filters.set(search.key, value)}
        />
      )}
      {children}
      {selects.map(select => (
        <Select
          key={select.key}
          className="slw-FilterBarSelect"
          size="small"
          aria-label={select.label}
          value={filters.values[select.key] || ANY}
          onChange={value =>
            filters.set(select.key, value === ANY ? '' : String(value))
          }
          options={[
            ...(select.isRequired
              ? []
              : [{ value: ANY, label: select.anyLabel ?? messages.anyOption }]),
            ...select.options,
          ]}
        />
      ))}
      {filters.isActive && (
        <Button size="small" variant="tertiary" onPress={filters.clear}>
          {messages.clearFilters}
        </Button>
      )}
      <span className="slw-FilterBarCount" role="status">
        {count && messages.count(count.shown, count.total, count.noun)}
      </span>
    </div>
  );
}
