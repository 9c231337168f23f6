import type { CohortCondition } from '../api/CohortsApi';
import { operatorText } from '../filters/ConditionGroup';
import { takesValue } from '../filters/propertyFilters';
import type { Translate } from '../translation';
import { didOf } from './cohortForm';

/** Describes a condition of a cohort in words. */
export function conditionText(condition: CohortCondition, t: Translate) {
  if (condition.type === 'person') {
    const { key, value, negation } = condition;
    const text = t('cohorts.property', {
      name: key,
      operator: operatorText(condition, t),
      value: takesValue(condition) ? [value ?? ''].flat().join(', ') : '',
    }).trim();
    return negation ? t('cohorts.not', { condition: text }) : text;
  }
  const { key: event, time_value: time, time_interval: unit } = condition;
  const { did, times } = didOf(condition);
  const period = t('cohorts.period', {
    number: String(time),
    unit: t(`cohorts.${time === 1 ? 'oneUnit' : 'units'}.${unit}`),
  });
  if (did === 'never') {
    return t('cohorts.didNever', { event, period });
  }
  if (did === 'gte' && times === 1) {
    return t('cohorts.didOnce', { event, period });
  }
  return t(did === 'gte' ? 'cohorts.didAtLeast' : 'cohorts.didAtMost', {
    event,
    times: String(times),
    period,
  });
}
