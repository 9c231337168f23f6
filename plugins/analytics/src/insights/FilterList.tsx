import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import type { PropertyFilter } from '../api/EventsApi';
import { FilterFields } from '../filters/FilterFields';
import { filtersOf, isComplete, textOf } from '../filters/propertyFilters';
import { analyticsTranslationRef } from '../translation';
import type { Form } from './insightForm';
import styles from '../analytics.module.css';

const MAX_FILTERS = 20;

/**
 * The property filters of an insight. A filter applies once it is complete and its field
 * loses focus; until then, only the form contains it.
 */
export function FilterList({ form: { values, set } }: { form: Form }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const [draft, setDraft] = useState({
    applied: values.filters,
    filters: filtersOf(values.filters),
  });
  // Opening a saved insight changes the URL without the form.
  if (draft.applied !== values.filters) {
    setDraft({ applied: values.filters, filters: filtersOf(values.filters) });
  }
  const { filters } = draft;
  const apply = (next: PropertyFilter[]) => {
    const applied = textOf(next.filter(isComplete));
    setDraft({ applied, filters: next });
    set('filters', applied);
  };
  return (
    <div className={styles.stack}>
      {filters.map((filter, index) => (
        <FilterFields
          // Filters have no identity other than their position.
          // eslint-disable-next-line react/no-array-index-key
          key={index}
          filter={filter}
          number={index + 1}
          isChecked={false}
          onChange={next =>
            apply(filters.map((each, at) => (at === index ? next : each)))
          }
          onRemove={() => apply(filters.filter((_, at) => at !== index))}
        />
      ))}
      {filters.length < MAX_FILTERS && (
        <div className={styles.actions}>
          <Button
            size="small"
            variant="secondary"
            onPress={() =>
              apply([
                ...filters,
                { type: 'event', key: '', operator: 'exact', value: '' },
              ])
            }
          >
            {t('testAccounts.add')}
          </Button>
        </div>
      )}
    </div>
  );
}
