import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Select } from '@backstage/ui';
import { useNames } from '../definitions/definitionQueries';
import { PropertyField } from '../filters/PropertyField';
import { useGroupTypes } from '../peopleQueries';
import { useProject } from '../projectQueries';
import { useEventNames } from '../queries';
import { analyticsTranslationRef, type Translate } from '../translation';
import {
  ANY_EVENT,
  DEFAULTS,
  eventCount,
  fieldsOf,
  GROUPS,
  MATHS_OF_PROPERTY,
  type Measure,
  measuresOf,
  takesProperty,
  valuesOfMeasures,
  type Form,
} from './insightForm';
import styles from '../analytics.module.css';

const MATHS = [
  'total',
  'dau',
  'weekly_active',
  'monthly_active',
  'unique_session',
  ...MATHS_OF_PROPERTY,
] as const;
const NEW: Measure = { event: ANY_EVENT, math: DEFAULTS.math, of: '' };

/**
 * The form fields for the events to count and how, for the steps of a funnel, or for the
 * first and the returning event of a retention.
 */
export function EventFields({ form: { values, set, setAll } }: { form: Form }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { project } = useProject();
  const known = useEventNames(project?.id).data ?? [];
  const { least, most } = eventCount(values.kind);
  const named = measuresOf(values).slice(0, most);
  const measures = [
    ...named,
    ...Array.from({ length: Math.max(least - named.length, 0) }, () => NEW),
  ];
  const change = (next: readonly Measure[]) => setAll(valuesOfMeasures(next));
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
      {measures.map((measure, index) => {
        const replace = (changes: Partial<Measure>) =>
          change(
            measures.map((each, at) =>
              at === index ? { ...each, ...changes } : each,
            ),
          );
        return (
          <div
            className={styles.eventField}
            key={`${index} of ${measures.length}`}
          >
            <Select
              label={labelOf(values.kind, index, measures.length, t)}
              size="small"
              value={measure.event}
              onChange={value => replace({ event: String(value) })}
              options={options(measure.event)}
            />
            {fieldsOf(values).has('math') && (
              <MathFields measure={measure} onChange={replace} />
            )}
            {measures.length > least && (
              <Button
                size="small"
                variant="tertiary"
                aria-label={t('insight.removeEvent', {
                  number: String(index + 1),
                })}
                onPress={() => change(measures.filter((_, at) => at !== index))}
              >
                {t('insight.remove')}
              </Button>
            )}
          </div>
        );
      })}
      {values.kind === 'RetentionQuery' && (
        <Select
          className={styles.filter}
          label={t('insight.returning')}
          size="small"
          value={values.returning || measures[0].event}
          onChange={value => set('returning', String(value))}
          options={options(values.returning)}
        />
      )}
      {fieldsOf(values).has('exclude') && (
        <Select
          className={styles.filter}
          label={t('insight.exclude')}
          size="small"
          value={values.exclude || ANY_EVENT}
          onChange={value =>
            set('exclude', value === ANY_EVENT ? '' : String(value))
          }
          options={[
            { value: ANY_EVENT, label: t('insight.excludeNone') },
            ...options(values.exclude).filter(
              ({ value }) =>
                value !== ANY_EVENT &&
                measures.every(({ event }) => event !== value),
            ),
          ]}
        />
      )}
      {measures.length < most && (
        <Button
          size="small"
          variant="secondary"
          onPress={() => change([...measures, NEW])}
        >
          {values.kind === 'FunnelsQuery'
            ? t('insight.addStep')
            : t('insight.addEvent')}
        </Button>
      )}
    </div>
  );
}

function MathFields(props: {
  measure: Measure;
  onChange(changes: Partial<Measure>): void;
}) {
  const { measure, onChange } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { project } = useProject();
  const names = useNames(project?.id, 'event_property');
  const groups = useGroupTypes(project).data ?? [];
  return (
    <>
      <Select
        label={t('trends.math')}
        size="small"
        value={measure.math}
        onChange={value => onChange({ math: String(value) })}
        options={[
          ...MATHS.map(value => ({
            value: value as string,
            label: t(`trends.choices.${value}`),
          })),
          ...groups.map(({ name, index }) => ({
            value: `${GROUPS}${index}`,
            label: t('trends.groups', { name }),
          })),
        ]}
      />
      {takesProperty(measure) && (
        <PropertyField
          label={t('trends.of')}
          placeholder={t('trends.ofExample')}
          value={measure.of}
          names={names}
          onChange={of => onChange({ of })}
        />
      )}
    </>
  );
}

function labelOf(
  kind: string,
  index: number,
  length: number,
  t: Translate,
): string {
  if (kind === 'FunnelsQuery') {
    return t('insight.stepNumber', { number: String(index + 1) });
  }
  // Formulas refer to the events by letters.
  return kind === 'TrendsQuery' && length > 1
    ? t('insight.eventLetter', { letter: String.fromCharCode(65 + index) })
    : t('query.event');
}
