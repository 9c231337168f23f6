import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Select } from '@backstage/ui';
import { INSIGHT_KINDS } from '../api/InsightQuery';
import { useProject } from '../projectQueries';
import {
  type TestAccountChoice,
  TestAccountSwitch,
} from '../testAccounts/TestAccountSwitch';
import { analyticsTranslationRef } from '../translation';
import { TypedField } from '../filters/TypedField';
import { BreakdownFields } from './BreakdownFields';
import { EventFields } from './EventFields';
import { FilterList } from './FilterList';
import { eventsOf, fieldsOf, type Form, type FormValues } from './insightForm';
import { DateField, PeriodFields } from './PeriodFields';
import styles from '../analytics.module.css';

const CHOICES = {
  interval: ['hour', 'day', 'week', 'month'],
  order: ['ordered', 'strict', 'unordered'],
  viz: ['steps', 'trends', 'time_to_convert'],
} as const;
const PERIODS = ['-24h', '-7d', '-30d', '-90d', 'all'] as const;

/**
 * The form of an insight. Choices apply immediately; typed values apply on Enter and when
 * their field loses focus.
 */
export function InsightForm(props: {
  form: Form;
  testAccounts: TestAccountChoice;
}) {
  const { form, testAccounts } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { values, set } = form;
  const { project } = useProject();
  const has = fieldsOf(values);
  const choice = (key: keyof typeof CHOICES) =>
    has.has(key) && (
      <Select
        label={t(`trends.${key}`)}
        size="small"
        value={values[key]}
        onChange={value => set(key, String(value))}
        options={CHOICES[key].map(value => ({
          value,
          label: t(`trends.choices.${value}`),
        }))}
      />
    );
  return (
    <div className={styles.stack} role="search">
      <div className={styles.form}>
        <Select
          label={t('insight.kind')}
          size="small"
          value={values.kind}
          onChange={value => set('kind', String(value))}
          options={INSIGHT_KINDS.map(value => ({
            value,
            label: t(`insight.kinds.${value}`),
          }))}
        />
        {choice('viz')}
        {choice('order')}
        {choice('interval')}
        {has.has('period') && (
          <PeriodFields form={form} periods={PERIODS} project={project} />
        )}
        {has.has('intervals') && (
          <>
            <Typed
              name="intervals"
              label={t('insight.intervals')}
              form={form}
            />
            <DateField
              label={t('insight.until')}
              value={values.to}
              onChange={to => set('to', to)}
            />
          </>
        )}
        {has.has('window') && (
          <Typed name="window" label={t('insight.window')} form={form} />
        )}
        {has.has('by') && <BreakdownFields form={form} />}
        {has.has('start') && (
          <Typed
            name="start"
            label={t('insight.start')}
            placeholder={t('insight.startAny')}
            form={form}
          />
        )}
        {has.has('compare') && (
          <Select
            className={styles.filter}
            label={t('insight.compare')}
            size="small"
            value={values.compare || 'no'}
            onChange={value => set('compare', value === 'yes' ? 'yes' : '')}
            options={(['no', 'yes'] as const).map(value => ({
              value,
              label: t(`insight.compared.${value}`),
            }))}
          />
        )}
        <TestAccountSwitch choice={testAccounts} />
      </div>
      {has.has('events') && <EventFields form={form} />}
      {has.has('formula') && eventsOf(values).length > 1 && (
        <div className={styles.form}>
          <Typed
            name="formula"
            label={t('trends.formula')}
            placeholder={t('trends.formulaExample')}
            form={form}
          />
        </div>
      )}
      {has.has('filters') && <FilterList form={form} />}
    </div>
  );
}

function Typed(props: {
  name: keyof FormValues;
  label: string;
  placeholder?: string;
  form: Form;
}) {
  const { name, label, placeholder, form } = props;
  return (
    <TypedField
      className={name === 'start' ? styles.property : undefined}
      label={label}
      placeholder={placeholder}
      value={form.values[name]}
      onApply={text => form.set(name, text.trim())}
    />
  );
}
