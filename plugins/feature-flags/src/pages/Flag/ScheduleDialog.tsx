import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { NumberField, Select, TextField } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { DialogForm, Done, OpenDialog } from '@slipway/design-system';
import type { FlagEnvironment, FlagName } from '../../api/flags';
import type {
  Aggregation,
  NewSchedule,
  ScheduleLimit,
} from '../../api/schedules';
import { Requested } from '../../components/Requested';
import {
  localTime,
  readLocalTime,
  TimeField,
} from '../../components/TimeField';
import { useCreateSchedule, useImpactMetrics } from '../../queries/changes';
import { flagsTranslationRef } from '../../translation';
import styles from './Flag.module.css';

const KINDS = ['on', 'off', 'stages'] as const;
type Kind = (typeof KINDS)[number];

/** The percentages of a staged rollout. */
const STAGES = [5, 25, 100];
const HOUR_MS = 3_600_000;
const AGGREGATIONS: readonly Aggregation[] = [
  'count',
  'rate',
  'average',
  'p95',
  'last',
];
/** The period of a limit. */
const WINDOW_MINUTES = 30;

/** The fields of a limit in the form. */
interface LimitDraft {
  kind: 'none' | ScheduleLimit['kind'];
  /** A metric or a service. */
  name: string;
  aggregation: Aggregation;
  threshold: number;
}

/** Schedules turning a flag on or off in an environment, or a staged rollout. */
export function ScheduleDialog(props: {
  flag: FlagName;
  environment: FlagEnvironment;
  onClose(): void;
}) {
  const { flag, environment, onClose } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const [kind, setKind] = useState<Kind>('on');
  const [start, setStart] = useState(() =>
    localTime(new Date(Date.now() + HOUR_MS)),
  );
  const [hours, setHours] = useState(24);
  const [limit, setLimit] = useState<LimitDraft>({
    kind: 'none',
    name: '',
    aggregation: 'count',
    threshold: 1,
  });
  const [whenCrossed, setWhenCrossed] = useState<'pause' | 'off'>('pause');
  const [isChecked, setIsChecked] = useState(false);
  const { mutate, error, isPending, data, isSuccess } = useCreateSchedule(flag);
  const startsAt = readLocalTime(start);
  const isNamed = limit.kind === 'none' || limit.name.trim() !== '';
  const onSubmit = () => {
    setIsChecked(true);
    if (startsAt !== undefined && isNamed) {
      mutate(
        {
          environment: environment.name,
          steps: stepsOf(kind, { startsAt, hours }),
          limits: kind === 'stages' ? limitsOf(limit) : [],
          whenCrossed,
        },
        { onSuccess: request => !request && onClose() },
      );
    }
  };
  const title = t('schedule.title', { environment: environment.name });
  return (
    <OpenDialog title={title} onClose={onClose}>
      {isSuccess && data ? (
        <Done>
          <Requested request={data} />
        </Done>
      ) : (
        <DialogForm
          submitLabel={t(
            environment.protected ? 'environments.request' : 'schedule.submit',
          )}
          isPending={isPending}
          onSubmit={onSubmit}
        >
          {error && <SendFailure title={t('schedule.failed')} error={error} />}
          <Select
            label={t('schedule.kind')}
            value={kind}
            onChange={key => key !== null && setKind(key as Kind)}
            options={KINDS.map(id => ({
              id,
              label: t(`schedule.kinds.${id}`),
            }))}
          />
          <TimeField
            label={t('schedule.start')}
            value={start}
            onChange={setStart}
            error={
              isChecked && startsAt === undefined
                ? t('schedule.startMissing')
                : undefined
            }
          />
          {kind === 'stages' && (
            <>
              <NumberField
                label={t('schedule.interval')}
                minValue={1}
                maxValue={720}
                value={hours}
                onChange={value => Number.isFinite(value) && setHours(value)}
              />
              <LimitFields
                environment={environment.name}
                limit={limit}
                onChange={setLimit}
                isMissing={isChecked && !isNamed}
              />
              {limit.kind !== 'none' && (
                <Select
                  label={t('schedule.whenCrossed')}
                  value={whenCrossed}
                  onChange={key => setWhenCrossed(key as 'pause' | 'off')}
                  options={(['pause', 'off'] as const).map(id => ({
                    id,
                    label: t(`schedule.reactions.${id}`),
                  }))}
                />
              )}
            </>
          )}
        </DialogForm>
      )}
    </OpenDialog>
  );
}

/** Fields for the limit that stops a rollout: a metric or failed deployments. */
function LimitFields(props: {
  environment: string;
  limit: LimitDraft;
  onChange(limit: LimitDraft): void;
  isMissing: boolean;
}) {
  const { environment, limit, onChange, isMissing } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const { data: metrics = [] } = useImpactMetrics(environment);
  const { kind, name, aggregation, threshold } = limit;
  return (
    <>
      <Select
        label={t('schedule.limit')}
        value={kind}
        onChange={key =>
          onChange({ ...limit, kind: key as LimitDraft['kind'] })
        }
        options={(['none', 'metric', 'deployments'] as const).map(id => ({
          id,
          label: t(`schedule.limits.${id}`),
        }))}
      />
      {kind !== 'none' && (
        <div className={styles.fields}>
          <TextField
            label={t(
              kind === 'metric' ? 'schedule.metric' : 'schedule.service',
            )}
            description={
              kind === 'metric'
                ? t('schedule.metricHelp', { names: metrics.join(', ') || '–' })
                : undefined
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
              kind === 'metric' ? 'schedule.above' : 'schedule.failures',
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

function stepsOf(
  kind: Kind,
  { startsAt, hours }: { startsAt: string; hours: number },
): NewSchedule['steps'] {
  return kind === 'stages'
    ? STAGES.map((percentage, index) => ({
        at: new Date(
          Date.parse(startsAt) + index * hours * HOUR_MS,
        ).toISOString(),
        percentage,
        ...(index === 0 && { enabled: true }),
      }))
    : [{ at: startsAt, enabled: kind === 'on' }];
}

function limitsOf(limit: LimitDraft): ScheduleLimit[] {
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
      return [{ kind, service: name, failures: Math.max(1, threshold) }];
    default:
      return [];
  }
}
