import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Combobox, Select, TextField } from '@backstage/ui';
import type { UrlFilters } from '@slipway/design-system';
import { INSIGHT_KINDS } from '../api/InsightQuery';
import { useNames } from '../definitions/definitionQueries';
import { useProject } from '../projectQueries';
import { useEventNames } from '../queries';
import {
  type TestAccountChoice,
  TestAccountSwitch,
} from '../testAccounts/TestAccountSwitch';
import { analyticsTranslationRef } from '../translation';
import {
  ANY_EVENT,
  eventCount,
  eventsOf,
  fieldsOf,
  type FormValues,
} from './insightForm';
import styles from '../analytics.module.css';

const CHOICES = {
  math: ['total', 'dau', 'weekly_active', 'monthly_active', 'unique_session'],
  interval: ['hour', 'day', 'week', 'month'],
  order: ['ordered', 'strict', 'unordered'],
} as const;
const PERIODS = ['-24h', '-7d', '-30d', '-90d', 'all'] as const;
const CUSTOM = 'custom';

type Form = UrlFilters<keyof FormValues>;

/**
 * The form of an insight. Choices apply immediately, typed values when their field loses
 * the focus.
 */
export function InsightForm(props: {
  form: Form;
  testAccounts: TestAccountChoice;
}) {
  const { form, testAccounts } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { values, set } = form;
  const has = fieldsOf(values.kind);
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
        {choice('math')}
        {choice('order')}
        {choice('interval')}
        {has.has('period') && <PeriodFields form={form} />}
        {has.has('window') && (
          <Typed name="window" label={t('insight.window')} form={form} />
        )}
        {has.has('by') && <PropertyField key={values.by} form={form} />}
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
    <TextField
      // Typed text applies on blur; a new value in the URL resets the field.
      key={form.values[name]}
      size="small"
      label={label}
      placeholder={placeholder}
      defaultValue={form.values[name]}
      onBlur={({ target }) =>
        form.set(name, (target as HTMLInputElement).value.trim())
      }
    />
  );
}

/** Offers the properties of events; others can be typed. */
function PropertyField({ form: { values, set } }: { form: Form }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { project } = useProject();
  const [text, setText] = useState(values.by);
  const names = useNames(project?.id, 'event_property');
  return (
    <Combobox
      size="small"
      label={t('trends.by')}
      placeholder={t('trends.byNone')}
      allowsCustomValue
      menuTrigger="focus"
      inputValue={text}
      onInputChange={setText}
      options={names.map(name => ({ id: name, label: name }))}
      onChange={name => name !== null && set('by', String(name))}
      onBlur={() => set('by', text.trim())}
    />
  );
}

function PeriodFields({ form: { values, set } }: { form: Form }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const isCustom = values.from !== '';
  const date = (name: 'from' | 'to') => (
    <label className={styles.date}>
      <span>{t(`insight.dates.${name}`)}</span>
      <input
        type="date"
        value={values[name]}
        onChange={({ target }) => set(name, target.value)}
      />
    </label>
  );
  return (
    <>
      <Select
        label={t('trends.period')}
        size="small"
        value={isCustom ? CUSTOM : values.period}
        onChange={value => {
          if (value === CUSTOM) {
            set('from', new Date().toISOString().slice(0, 10));
          } else {
            set('from', '');
            set('to', '');
            set('period', String(value));
          }
        }}
        options={[
          ...PERIODS.map(value => ({
            value: String(value),
            label: t(`trends.periods.${value}`),
          })),
          { value: CUSTOM, label: t('insight.custom') },
        ]}
      />
      {isCustom && date('from')}
      {isCustom && date('to')}
    </>
  );
}

/**
 * The events to count, the steps of a funnel, or the first and the returning event of a
 * retention.
 */
function EventFields({ form: { values, set } }: { form: Form }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { project } = useProject();
  const known = useEventNames(project?.id).data ?? [];
  const { least, most } = eventCount(values.kind);
  const named = eventsOf(values).slice(0, most);
  const events = [
    ...named,
    ...Array.from(
      { length: Math.max(least - named.length, 0) },
      () => ANY_EVENT,
    ),
  ];
  const isFunnel = values.kind === 'FunnelsQuery';
  const change = (next: readonly string[]) => set('events', next.join('\n'));
  const options = (chosen: string) => [
    { value: ANY_EVENT, label: t('live.anyEvent') },
    ...[
      ...new Set([
        ...known,
        ...(chosen && chosen !== ANY_EVENT ? [chosen] : []),
      ]),
    ].map(name => ({ value: name, label: name })),
  ];
  return (
    <div className={styles.form}>
      {events.map((event, index) => (
        <div className={styles.eventField} key={`${index} of ${events.length}`}>
          <Select
            label={
              isFunnel
                ? t('insight.stepNumber', { number: String(index + 1) })
                : t('query.event')
            }
            size="small"
            value={event}
            onChange={value =>
              change(
                events.map((each, at) => (at === index ? String(value) : each)),
              )
            }
            options={options(event)}
          />
          {events.length > least && (
            <Button
              size="small"
              variant="tertiary"
              aria-label={t('insight.removeEvent', {
                number: String(index + 1),
              })}
              onPress={() => change(events.filter((_, at) => at !== index))}
            >
              {t('insight.remove')}
            </Button>
          )}
        </div>
      ))}
      {values.kind === 'RetentionQuery' && (
        <Select
          label={t('insight.returning')}
          size="small"
          value={values.returning || events[0]}
          onChange={value => set('returning', String(value))}
          options={options(values.returning)}
        />
      )}
      {events.length < most && (
        <Button
          size="small"
          variant="secondary"
          onPress={() => change([...events, ANY_EVENT])}
        >
          {isFunnel ? t('insight.addStep') : t('insight.addEvent')}
        </Button>
      )}
    </div>
  );
}
