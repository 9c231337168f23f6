import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Checkbox, Select, TextField } from '@backstage/ui';
import { useNames } from '../definitions/definitionQueries';
import {
  ConditionGroup,
  PropertyConditionFields,
} from '../filters/ConditionGroup';
import { PropertyField } from '../filters/PropertyField';
import { analyticsTranslationRef } from '../translation';
import {
  DIDS,
  type EventFields,
  type FormCondition,
  isPossible,
  NEW_EVENT,
  NEW_PROPERTY,
  UNITS,
} from './cohortForm';

/** The fields of one condition of a cohort: on a property of users, or on what they did. */
export function ConditionFields(props: {
  projectId: string;
  condition: FormCondition;
  number: number;
  /** True if missing values are marked. */
  isChecked: boolean;
  onChange(condition: FormCondition): void;
  /** Undefined for the only condition. */
  onRemove?(): void;
}) {
  const { projectId, condition, number, isChecked, onChange, onRemove } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const isInvalid = isChecked && !isPossible(condition);
  return (
    <ConditionGroup
      label={t('cohorts.condition', { number: String(number) })}
      on={{
        label: t('cohorts.conditionOn'),
        value: condition.type,
        options: (['person', 'behavioral'] as const).map(type => ({
          value: type,
          label: t(`cohorts.conditionOns.${type}`),
        })),
        onChange: type =>
          onChange(type === 'person' ? NEW_PROPERTY : NEW_EVENT),
      }}
      removeLabel={t('cohorts.removeCondition', { number: String(number) })}
      onRemove={onRemove}
    >
      {condition.type === 'person' ? (
        <PropertyCondition {...{ projectId, condition, isInvalid, onChange }} />
      ) : (
        <EventConditionFields
          {...{ projectId, condition, isInvalid, onChange }}
        />
      )}
    </ConditionGroup>
  );
}

interface FieldsProps<T> {
  projectId: string;
  condition: T;
  isInvalid: boolean;
  onChange(condition: FormCondition): void;
}

function PropertyCondition(
  props: FieldsProps<Exclude<FormCondition, EventFields>>,
) {
  const { projectId, condition, isInvalid, onChange } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const names = useNames(projectId, 'person');
  const { negation } = condition;
  return (
    <>
      <PropertyConditionFields
        filter={condition}
        names={names}
        isChecked={isInvalid}
        onChange={onChange}
      />
      {negation && (
        <Checkbox
          isSelected={negation}
          onChange={() => onChange({ ...condition, negation: false })}
        >
          {t('cohorts.everybodyElse')}
        </Checkbox>
      )}
    </>
  );
}

function EventConditionFields(props: FieldsProps<EventFields>) {
  const { projectId, condition, isInvalid, onChange } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const names = useNames(projectId, 'event');
  const { key, did, times, time, unit } = condition;
  const set = (changes: Partial<EventFields>) =>
    onChange({ ...condition, ...changes });
  return (
    <>
      <PropertyField
        label={t('cohorts.event')}
        value={key}
        names={names}
        isInvalid={isInvalid && key.trim() === ''}
        onChange={next => set({ key: next })}
      />
      <Select
        size="small"
        label={t('cohorts.did')}
        value={did}
        onChange={next => set({ did: next as EventFields['did'] })}
        options={DIDS.map(value => ({
          value,
          label: t(`cohorts.dids.${value}`),
        }))}
      />
      {did !== 'never' && (
        <TextField
          size="small"
          inputMode="numeric"
          label={t('cohorts.times')}
          value={times}
          isInvalid={
            isInvalid && !isPossible({ ...condition, key: 'x', time: '1' })
          }
          onChange={next => set({ times: next })}
        />
      )}
      <TextField
        size="small"
        inputMode="numeric"
        label={t('cohorts.within')}
        value={time}
        isInvalid={
          isInvalid && !isPossible({ ...condition, key: 'x', times: '1' })
        }
        onChange={next => set({ time: next })}
      />
      <Select
        size="small"
        label={t('cohorts.unit')}
        value={unit}
        onChange={next => set({ unit: next as EventFields['unit'] })}
        options={UNITS.map(value => ({
          value,
          label: t(`cohorts.units.${value}`),
        }))}
      />
    </>
  );
}
