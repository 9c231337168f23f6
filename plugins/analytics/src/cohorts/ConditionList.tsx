import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Select } from '@backstage/ui';
import { analyticsTranslationRef } from '../translation';
import {
  type CohortForm,
  type FormCondition,
  filtersOfForm,
  NEW_PROPERTY,
} from './cohortForm';
import { ConditionFields } from './ConditionFields';
import styles from '../analytics.module.css';

const MOST_CONDITIONS = 20;

/** The conditions of a cohort, and whether users meet all or any of them. */
export function ConditionList(props: {
  projectId: string;
  form: CohortForm;
  /** True if missing values are marked. */
  isChecked: boolean;
  onChange(changes: Partial<CohortForm>): void;
}) {
  const { projectId, form, isChecked, onChange } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { match, conditions } = form;
  const change = (next: FormCondition[]) => onChange({ conditions: next });
  return (
    <div className={styles.stack}>
      {conditions.length > 1 && (
        <Select
          className={styles.filter}
          size="small"
          label={t('cohorts.pattern')}
          value={match}
          onChange={next => onChange({ match: next === 'OR' ? 'OR' : 'AND' })}
          options={(['AND', 'OR'] as const).map(value => ({
            value,
            label: t(`cohorts.match.${value}`),
          }))}
        />
      )}
      {conditions.map((condition, index) => (
        <ConditionFields
          // Conditions have no identity other than their position.
          // eslint-disable-next-line react/no-array-index-key
          key={index}
          projectId={projectId}
          condition={condition}
          number={index + 1}
          isChecked={isChecked}
          onChange={next =>
            change(conditions.map((each, at) => (at === index ? next : each)))
          }
          {...(conditions.length > 1 && {
            onRemove: () => change(conditions.filter((_, at) => at !== index)),
          })}
        />
      ))}
      {isChecked && !filtersOfForm(form) && (
        <p role="alert" className={styles.fault}>
          {t('cohorts.conditionWrong')}
        </p>
      )}
      {conditions.length < MOST_CONDITIONS && (
        <div className={styles.actions}>
          <Button
            size="small"
            variant="secondary"
            onPress={() => change([...conditions, NEW_PROPERTY])}
          >
            {t('cohorts.addCondition')}
          </Button>
        </div>
      )}
    </div>
  );
}
