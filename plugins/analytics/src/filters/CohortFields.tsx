import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Select } from '@backstage/ui';
import type { Cohort } from '../api/CohortsApi';
import type { PropertyFilter } from '../api/EventsApi';
import { useCohorts } from '../cohorts/cohortQueries';
import { useProject } from '../projectQueries';
import { analyticsTranslationRef } from '../translation';
import { COHORT_OPERATORS, isComplete } from './propertyFilters';

/** The fields of a cohort filter: whether users are in the cohort, and which cohort. */
export function CohortFields(props: {
  filter: PropertyFilter;
  /** True if a missing cohort is marked. */
  isChecked: boolean;
  onChange(filter: PropertyFilter): void;
}) {
  const { filter, isChecked, onChange } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { project } = useProject();
  const { data, isError } = useCohorts(project);
  const cohorts = data ?? [];
  const id = [filter.value ?? ''].flat().join(', ');
  const options = cohorts.map(each => ({
    value: String(each.id),
    label: each.name,
  }));
  const isListed = id === '' || options.some(({ value }) => value === id);
  return (
    <>
      <Select
        size="small"
        label={t('testAccounts.operator')}
        value={filter.operator === 'not_in' ? 'not_in' : 'in'}
        onChange={operator =>
          onChange({ ...filter, operator: String(operator) })
        }
        options={COHORT_OPERATORS.map(value => ({
          value,
          label: t(`cohorts.operators.${value}`),
        }))}
      />
      <Select
        size="small"
        label={t('cohorts.cohort')}
        placeholder={t(placeholderOf(data, isError))}
        value={id === '' ? null : id}
        isInvalid={isChecked && !isComplete(filter)}
        onChange={next => onChange({ ...filter, value: Number(next) })}
        options={isListed ? options : [...options, { value: id, label: id }]}
      />
    </>
  );
}

function placeholderOf(
  cohorts: readonly Cohort[] | undefined,
  failed: boolean,
) {
  if (failed) {
    return 'cohorts.failed';
  }
  return cohorts?.length === 0 ? 'cohorts.emptyTitle' : 'cohorts.choose';
}
