import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Select } from '@backstage/ui';
import type { PropertyFilter } from '../api/EventsApi';
import { useNames } from '../definitions/definitionQueries';
import { useGroupProperties } from '../peopleQueries';
import { useProject } from '../projectQueries';
import { analyticsTranslationRef, type Translate } from '../translation';
import { CohortFields } from './CohortFields';
import { PropertyField } from './PropertyField';
import {
  COHORT,
  groupOwner,
  isComplete,
  isOneOf,
  OPERATORS,
  ownerOf,
  takesValue,
  TYPES,
  withOwn,
  withOwner,
} from './propertyFilters';
import { TypedField } from './TypedField';
import styles from '../analytics.module.css';

/** The fields of one filter: whose property, its name, a condition and a value. */
export function FilterFields(props: {
  filter: PropertyFilter;
  number: number;
  /** An example of a value. */
  example?: string;
  /** True if missing values are marked. */
  isChecked: boolean;
  /** True if users of a cohort can be chosen. */
  offersCohorts?: boolean;
  onChange(filter: PropertyFilter): void;
  onRemove(): void;
}) {
  const { filter, number, example, isChecked, onChange, onRemove } = props;
  const { offersCohorts = false } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { type = 'event', key, operator = 'exact', value } = filter;
  const has = takesValue(filter);
  const { project } = useProject();
  const properties = useNames(
    project?.id,
    type === 'person' ? 'person' : 'event_property',
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
    ...(offersCohorts && !project?.hidesPeople
      ? [{ value: COHORT, label: t('cohorts.owner') }]
      : []),
  ];
  return (
    <div
      className={styles.form}
      role="group"
      aria-label={t('testAccounts.filterNumber', { number: String(number) })}
    >
      <Select
        size="small"
        label={t('testAccounts.type')}
        value={owner}
        onChange={next => onChange(withOwner(filter, String(next)))}
        options={
          owners.some(({ value: each }) => each === owner)
            ? owners
            : [...owners, { value: owner, label: owner }]
        }
      />
      {owner === COHORT ? (
        <CohortFields
          filter={filter}
          isChecked={isChecked}
          onChange={onChange}
        />
      ) : (
        <>
          <PropertyField
            label={t('testAccounts.key')}
            value={key}
            names={group?.properties ?? properties}
            isInvalid={isChecked && key.trim() === ''}
            onChange={next => onChange({ ...filter, key: next })}
          />
          <Select
            size="small"
            label={t('testAccounts.operator')}
            value={operator}
            onChange={next => onChange({ ...filter, operator: String(next) })}
            options={withOwn(OPERATORS, operator).map(each => ({
              value: each,
              label: operatorText({ operator: each }, t),
            }))}
          />
          {has && (
            <TypedField
              label={t('testAccounts.value')}
              placeholder={example}
              value={[value ?? ''].flat().join(', ')}
              maxLength={2_000}
              isInvalid={isChecked && !isComplete(filter)}
              onApply={text => onChange({ ...filter, value: text })}
            />
          )}
        </>
      )}
      <Button
        size="small"
        variant="tertiary"
        aria-label={t('testAccounts.removeNumber', { number: String(number) })}
        onPress={onRemove}
      >
        {t('insight.remove')}
      </Button>
    </div>
  );
}

/** Returns the words for the condition of a filter. */
export function operatorText(
  { operator = 'exact' }: { operator?: string },
  t: Translate,
): string {
  return isOneOf(OPERATORS, operator)
    ? t(`testAccounts.operators.${operator}`)
    : operator;
}
