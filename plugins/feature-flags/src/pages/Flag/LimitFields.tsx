import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { NumberField, Select, TextField } from '@backstage/ui';
import type { Aggregation, ScheduleLimit } from '../../api/schedules';
import { useLimitSources } from '../../queries/changes';
import { flagsTranslationRef } from '../../translation';
import styles from './Flag.module.css';

const KINDS = ['none', 'metric', 'deployments', 'builds'] as const;
const AGGREGATIONS: readonly Aggregation[] = [
  'count',
  'rate',
  'average',
  'p95',
  'last',
];
/** The period of a limit, in minutes. */
const WINDOW_MINUTES = 30;

/** The fields of a limit in the form. */
export interface LimitDraft {
  kind: 'none' | ScheduleLimit['kind'];
  /** A metric or a service. */
  name: string;
  aggregation: Aggregation;
  threshold: number;
}

/** Fields for the limit that stops a rollout: a metric, failed deployments or failed builds. */
export function LimitFields(props: {
  environment: string;
  limit: LimitDraft;
  onChange(limit: LimitDraft): void;
  isMissing: boolean;
}) {
  const { environment, limit, onChange, isMissing } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const { data: sources } = useLimitSources(environment);
  const { kind, name, aggregation, threshold } = limit;
  return (
    <>
      <Select
        label={t('schedule.limit')}
        value={kind}
        onChange={key =>
          onChange({ ...limit, kind: key as LimitDraft['kind'] })
        }
        options={KINDS.filter(
          id => id !== 'builds' || sources?.watchesBuilds,
        ).map(id => ({ id, label: t(`schedule.limits.${id}`) }))}
      />
      {kind !== 'none' && (
        <div className={styles.fields}>
          <TextField
            label={t(
              kind === 'metric' ? 'schedule.metric' : 'schedule.service',
            )}
            description={
              kind === 'metric'
                ? t('schedule.metricHelp', {
                    names: sources?.metrics.join(', ') || '–',
                  })
                : t(`schedule.serviceHelp.${kind}`)
            }
            value={name}
            onChange={value => onChange({ ...limit, name: value })}
            validationBehavior="aria"
            validate={() => !isMissing || t('schedule.nameMissing')}
          />
          {kind === 'metric' && (
            <Select
              label={t('schedule.aggregation')}
              value={aggregation}
              onChange={key =>
                onChange({ ...limit, aggregation: key as Aggregation })
              }
              options={AGGREGATIONS.map(id => ({
                id,
                label: t(`schedule.aggregations.${id}`),
              }))}
            />
          )}
          <NumberField
            label={t(
              kind === 'metric'
                ? 'schedule.above'
                : `schedule.failures.${kind}`,
            )}
            minValue={kind === 'metric' ? undefined : 1}
            value={threshold}
            onChange={value =>
              Number.isFinite(value) && onChange({ ...limit, threshold: value })
            }
          />
        </div>
      )}
    </>
  );
}

/** Returns the limits of a new schedule. */
export function limitsOf(limit: LimitDraft): ScheduleLimit[] {
  const { kind, aggregation, threshold } = limit;
  const name = limit.name.trim();
  switch (kind) {
    case 'metric':
      return [
        {
          kind,
          metric: name,
          aggregation,
          operator: '>',
          threshold,
          minutes: WINDOW_MINUTES,
        },
      ];
    case 'deployments':
    case 'builds':
      return [{ kind, service: name, failures: Math.max(1, threshold) }];
    default:
      return [];
  }
}
