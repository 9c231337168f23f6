import { useTranslationRef } from '@backstage/frontend-plugin-api';
import type { PropertyFilter } from '../api/EventsApi';
import { useNames } from '../definitions/definitionQueries';
import { useGroupProperties } from '../peopleQueries';
import { useProject } from '../projectQueries';
import { analyticsTranslationRef } from '../translation';
import { CohortFields } from './CohortFields';
import { ConditionGroup, PropertyConditionFields } from './ConditionGroup';
import {
  COHORT,
  groupOwner,
  ownerOf,
  TYPES,
  withOwner,
} from './propertyFilters';

/** The fields of one filter: the owner of a property or a cohort, a comparison and a value. */
export function FilterFields(props: {
  filter: PropertyFilter;
  number: number;
  /** An example of a value. */
  example?: string;
  /** True if missing values are marked. */
  isChecked: boolean;
  onChange(filter: PropertyFilter): void;
  onRemove(): void;
}) {
  const { filter, number, example, isChecked, onChange, onRemove } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { project } = useProject();
  const properties = useNames(
    project?.id,
    filter.type === 'person' ? 'person' : 'event_property',
  );
  const groups = useGroupProperties(project);
  const owner = ownerOf(filter);
  const group = groups.find(({ index }) => owner === groupOwner(index));
  const owners = [
    ...TYPES.map(each => ({
      value: each as string,
      label: t(`testAccounts.types.${each}`),
    })),
    ...groups.map(({ name, index }) => ({
      value: groupOwner(index),
      label: t('testAccounts.ofGroup', { name }),
    })),
    ...(project?.hidesPeople
      ? []
      : [{ value: COHORT, label: t('cohorts.owner') }]),
  ];
  return (
    <ConditionGroup
      label={t('testAccounts.filterNumber', { number: String(number) })}
      on={{
        label: t('testAccounts.type'),
        value: owner,
        options: owners.some(({ value }) => value === owner)
          ? owners
          : [...owners, { value: owner, label: owner }],
        onChange: next => onChange(withOwner(filter, next)),
      }}
      removeLabel={t('testAccounts.removeNumber', { number: String(number) })}
      onRemove={onRemove}
    >
      {owner === COHORT ? (
        <CohortFields
          filter={filter}
          isChecked={isChecked}
          onChange={onChange}
        />
      ) : (
        <PropertyConditionFields
          filter={filter}
          names={group?.properties ?? properties}
          example={example}
          isChecked={isChecked}
          onChange={onChange}
        />
      )}
    </ConditionGroup>
  );
}
