import { useMemo, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Combobox } from '@backstage/ui';
import { SavedViews } from '@slipway/app-react';
import {
  FilterBar,
  type FilterSelect,
  PeriodPicker,
  type UrlFilters,
} from '@slipway/design-system';
import { useScopes, type View } from '../queries';
import { matchScopes, parseScope, SCOPE_KINDS, titleOfScope } from '../scope';
import { deliveryLakeTranslationRef } from '../translation';
import styles from './LakeFilterBar.module.css';

/** Filters of a page: scope, period and others. */
export function LakeFilterBar<K extends string>(props: {
  view: View;
  /** Must include `scope` and `period`. */
  filters: UrlFilters<K | 'scope' | 'period'>;
  selects?: readonly FilterSelect<K | 'scope' | 'period'>[];
  search?: { key: K; label: string };
  count?: { shown: number; total: number; noun: readonly [string, string] };
  /** The name of the list for saved views. */
  list?: string;
}) {
  const { view, filters, selects, search, count, list } = props;
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
      {list && <SavedViews list={list} />}
    </FilterBar>
  );
}

const EVERYTHING = 'everything';
const NOTHING = { teams: [], projects: [], services: [] };

/** A field to select a team, a project, a service or the whole lake, by typing or from groups. */
function ScopePicker(props: {
  /** The scope in the format of the URL; empty for the whole lake. */
  value: string;
  onChange(value: string): void;
}) {
  const { value, onChange } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const { data: scopes = NOTHING } = useScopes();
  const [typed, setTyped] = useState<string>();
  // Changed to recreate the field after a selection: resetting the typed text would open the list
  // again.
  const [visit, setVisit] = useState(0);
  const scope = parseScope(value);
  const title = scope ? titleOfScope(scopes, scope) : t('filter.everything');

  const sections = useMemo(() => {
    const matches = matchScopes(scopes, typed ?? '');
    const titles = {
      team: t('filter.teams'),
      project: t('filter.projects'),
      service: t('filter.services'),
    };
    return SCOPE_KINDS.filter(kind => matches[kind].length > 0).map(kind => ({
      title: titles[kind],
      options: matches[kind],
    }));
  }, [scopes, typed, t]);

  const everything = { id: EVERYTHING, label: t('filter.everything') };
  return (
    <Combobox
      key={visit}
      className={styles.scope}
      size="small"
      aria-label={t('filter.scope')}
      options={typed ? sections : [everything, ...sections]}
      search={{
        mode: 'client',
        // The sections are already filtered, which also limits their length.
        filter: () => true,
        inputValue: typed ?? title,
        onInputChange: text => setTyped(text === title ? undefined : text),
      }}
      menuTrigger="focus"
      value={value || EVERYTHING}
      onChange={key => {
        setTyped(undefined);
        if (key !== null) {
          onChange(key === EVERYTHING ? '' : String(key));
        }
      }}
      // Typing replaces the selection.
      onFocus={({ target }) =>
        target instanceof HTMLInputElement && target.select()
      }
      onBlur={() => {
        setTyped(undefined);
        setVisit(visit + 1);
      }}
    />
  );
}
