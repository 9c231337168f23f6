import { useRef, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Link } from '@backstage/ui';
import { SendFailure, useErrorWords } from '@slipway/app-react';
import {
  ConfirmDialog,
  RelativeTime,
  StatusBadge,
  type Tone,
  useFocusNearby,
} from '@slipway/design-system';
import type {
  NewSchedule,
  Schedule,
  ScheduleLimit,
  ScheduleState,
  ScheduleStep,
} from '../api/schedules';
import { useChangeSchedule } from '../queries/changes';
import { useFlagNamed } from '../queries/flags';
import { useMayChange } from '../queries/access';
import { useLinks } from '../routes';
import { flagsTranslationRef, type Translate } from '../translation';
import { personName } from './people';
import styles from '../pages/Flag/Flag.module.css';

const TONES: Readonly<Record<ScheduleState, Tone>> = {
  active: 'info',
  paused: 'warning',
  done: 'success',
  failed: 'danger',
  cancelled: 'neutral',
};

/** Schedules, which can be paused, resumed and cancelled, with their steps. */
export function ScheduleList(props: {
  schedules: readonly Schedule[];
  /** True to name each schedule's flag, in lists of several flags. */
  namesFlag?: boolean;
}) {
  const list = useRef<HTMLUListElement>(null);
  // A cancelled schedule has no buttons, or leaves the list.
  useFocusNearby(list);
  return (
    <ul ref={list} className={styles.strategies}>
      {props.schedules.map(schedule => (
        <li key={schedule.id}>
          <ScheduleItem schedule={schedule} namesFlag={props.namesFlag} />
        </li>
      ))}
    </ul>
  );
}

function ScheduleItem(props: { schedule: Schedule; namesFlag?: boolean }) {
  const { schedule, namesFlag } = props;
  const { featureName, environment, state, reason, createdBy } = schedule;
  const { t } = useTranslationRef(flagsTranslationRef);
  const links = useLinks();
  return (
    <div className={styles.stack}>
      <div className={styles.head}>
        <span>
          {namesFlag && (
            <>
              <Link href={links.flag(featureName)}>{featureName}</Link>{' '}
            </>
          )}
          <strong>{t('schedule.in', { environment })}</strong>{' '}
          <span className={styles.quiet}>
            {t('schedule.by', { name: personName(createdBy, t) })}
          </span>
        </span>
        <StatusBadge
          tone={TONES[state]}
          label={t(`schedule.states.${state}`)}
        />
      </div>
      {reason && <p role="status">{reason}</p>}
      <StepLines schedule={schedule} next={schedule.nextStep} />
      <ScheduleActions schedule={schedule} />
    </div>
  );
}

/** The steps of a schedule with their times, and its limits. */
export function StepLines(props: {
  schedule: NewSchedule;
  /** The index of the next step; 0 by default. */
  next?: number;
}) {
  const { schedule, next = 0 } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  return (
    <>
      <ol className={styles.steps}>
        {schedule.steps.map((step, index) => (
          <li key={step.at} data-done={index < next}>
            {stepText(step, t)}, <RelativeTime value={step.at} />
            {index < next && ` (${t('schedule.stepDone')})`}
          </li>
        ))}
      </ol>
      {schedule.limits.map((limit, index) => (
        <p key={index} className={styles.quiet}>
          {t(
            schedule.whenCrossed === 'off'
              ? 'schedule.offWhen'
              : 'schedule.pausesWhen',
            { limit: limitText(limit, t) },
          )}
        </p>
      ))}
    </>
  );
}

function ScheduleActions({ schedule }: { schedule: Schedule }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const errorWords = useErrorWords();
  const { data: flag } = useFlagNamed(schedule.featureName);
  const mayChange = useMayChange(flag?.project);
  const { mutate, mutateAsync, error, isPending } = useChangeSchedule(
    schedule.id,
  );
  const [isAsking, setIsAsking] = useState(false);
  const { state, featureName } = schedule;
  if (!mayChange || (state !== 'active' && state !== 'paused')) {
    return null;
  }
  const other = state === 'active' ? 'pause' : 'resume';
  return (
    <div className={styles.actions}>
      {error && !isAsking && (
        <SendFailure title={t('schedule.changeFailed')} error={error} />
      )}
      <Button
        size="small"
        variant="secondary"
        isPending={isPending && !isAsking}
        onPress={() => mutate(other)}
      >
        {t(`schedule.${other}`)}
      </Button>
      <Button size="small" variant="tertiary" onPress={() => setIsAsking(true)}>
        {t('schedule.cancel')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={t('schedule.cancelTitle', { name: featureName })}
        confirmLabel={t('schedule.cancelConfirm')}
        describeError={errorWords}
        onConfirm={() => mutateAsync('cancel')}
      >
        {t('schedule.cancelText')}
      </ConfirmDialog>
    </div>
  );
}

/** Formats everything that a step does, e.g. `On, 5%`. */
function stepText({ enabled, percentage }: ScheduleStep, t: Translate): string {
  return [
    enabled !== undefined &&
      t(enabled ? 'schedule.turnOn' : 'schedule.turnOff'),
    percentage !== undefined &&
      t('schedule.share', { percentage: String(percentage) }),
  ]
    .filter(Boolean)
    .join(', ');
}

function limitText(limit: ScheduleLimit, t: Translate): string {
  if (limit.kind !== 'metric') {
    const { kind, service, failures: count } = limit;
    return kind === 'builds'
      ? t('schedule.buildLimit', { service, count })
      : t('schedule.deploymentLimit', { service, count });
  }
  const { metric, aggregation, operator, threshold } = limit;
  const name = t(`schedule.aggregations.${aggregation}`);
  return `${metric}: ${name} ${operator} ${threshold}`;
}
