import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { VisuallyHidden } from '@backstage/ui';
import {
  RiAlertFill,
  RiCheckboxCircleFill,
  RiCircleLine,
  RiCloseCircleFill,
  RiHand,
  RiLoader4Line,
  RiSkipForwardLine,
} from '@remixicon/react';
import { Duration } from '@slipway/design-system';
import type { BuildStep } from '../api/BuildsApi';
import { buildsTranslationRef } from '../translation';
import styles from './StepState.module.css';

const ICONS = {
  pending: RiCircleLine,
  running: RiLoader4Line,
  waiting: RiHand,
  done: RiCheckboxCircleFill,
  warning: RiAlertFill,
  failed: RiCloseCircleFill,
  skipped: RiSkipForwardLine,
} as const satisfies Record<BuildStep['state'], unknown>;

/** Shows a step's state as an icon with an accessible name. */
export function StepIcon({ state }: { state: BuildStep['state'] }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const Icon = ICONS[state];
  return (
    <span className={styles.icon} data-state={state}>
      <Icon size={16} aria-hidden />
      <VisuallyHidden>{t(`step.${state}`)}</VisuallyHidden>
    </span>
  );
}

/** Shows a step's duration; ticks while it runs. */
export function StepDuration({ step }: { step: BuildStep }) {
  const { startedAt, finishedAt } = step;
  return startedAt === null ? null : (
    <Duration from={startedAt} to={finishedAt} />
  );
}
