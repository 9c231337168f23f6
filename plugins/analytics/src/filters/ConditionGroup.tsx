import type { ReactNode } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Select } from '@backstage/ui';
import type { PropertyFilter } from '../api/EventsApi';
import { analyticsTranslationRef, type Translate } from '../translation';
import { PropertyField } from './PropertyField';
import { isOneOf, OPERATORS, takesValue, withOwn } from './propertyFilters';
import { TypedField } from './TypedField';
import styles from '../analytics.module.css';

/** One condition of a filter or a cohort: its kind, its fields, and a button that removes it. */
export function ConditionGroup(props: {
  label: string;
  /** The choice of the kind of condition, such as one on a property of users. */
  on: {
    label: string;
    value: string;
    options: { value: string; label: string }[];
    onChange(value: string): void;
  };
  removeLabel: string;
  /** Undefined for a condition that cannot be removed. */
  onRemove?(): void;
  children: ReactNode;
}) {
  const { label, on, removeLabel, onRemove, children } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  return (
    <div className={styles.form} role="group" aria-label={label}>
      <Select
        size="small"
        label={on.label}
        value={on.value}
        onChange={next => on.onChange(String(next))}
        options={on.options}
      />
      {children}
      {onRemove && (
        <Button
          size="small"
          variant="tertiary"
          aria-label={removeLabel}
          onPress={onRemove}
        >
          {t('insight.remove')}
        </Button>
      )}
    </div>
  );
}

/** The fields of a condition on a property: its name, a comparison and a value. */
export function PropertyConditionFields<T extends PropertyFilter>(props: {
  filter: T;
  /** The known properties. */
  names: readonly string[];
  /** An example of a value. */
  example?: string;
  /** True if missing values are marked. */
  isChecked: boolean;
  onChange(filter: T): void;
}) {
  const { filter, names, example, isChecked, onChange } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { key, operator = 'exact', value } = filter;
  const text = [value ?? ''].flat().join(', ');
  return (
    <>
      <PropertyField
        label={t('testAccounts.key')}
        value={key}
        names={names}
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
      {takesValue(filter) && (
        <TypedField
          label={t('testAccounts.value')}
          placeholder={example}
          value={text}
          maxLength={2_000}
          isInvalid={isChecked && text.trim() === ''}
          onApply={next => onChange({ ...filter, value: next })}
        />
      )}
    </>
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
