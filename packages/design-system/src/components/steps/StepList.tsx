import { VisuallyHidden } from '@backstage/ui';
import {
  RemixiconComponentType,
  RiAlertFill,
  RiCheckboxCircleFill,
  RiCircleLine,
  RiCloseCircleFill,
  RiLoader4Line,
} from '@remixicon/react';
import { messages } from '../../messages';
import { Duration } from '../time/RelativeTime';
import './StepList.css';

/** State of one step. */
export type StepState = 'pending' | 'running' | 'done' | 'warning' | 'failed';

/** One named step of a long task. */
export interface Step {
  id: string;
  title: string;
  state: StepState;
  /** 0 to 1 if progress is measurable, otherwise null. */
  progress?: number | null;
  /** Current activity of the step, or the reason for its failure; one line. */
  message?: string | null;
  /** ISO 8601 timestamps. */
  startedAt?: string | null;
  endedAt?: string | null;
}

const ICONS: Record<StepState, RemixiconComponentType> = {
  pending: RiCircleLine,
  running: RiLoader4Line,
  done: RiCheckboxCircleFill,
  warning: RiAlertFill,
  failed: RiCloseCircleFill,
};

/** Props of {@link StepList}. */
export interface StepListProps {
  /** Title of the steps, e.g. "Start of api-gateway". */
  label: string;
  steps: readonly Step[];
}

/** Returns the text to announce: the step that failed or is running, but not every second. */
function announcement(steps: readonly Step[]): string {
  const current =
    steps.find(step => step.state === 'failed') ??
    steps.find(step => step.state === 'running');
  return current
    ? `${current.title}: ${messages.stepState[current.state]}`
    : '';
}

/** Named steps of a long task with state, elapsed time, progress and message. */
export function StepList({ label, steps }: StepListProps) {
  return (
    <>
      <ol className="slw-StepList" aria-label={label}>
        {steps.map(step => (
          <StepItem key={step.id} step={step} />
        ))}
      </ol>
      <VisuallyHidden>
        <span role="status" aria-live="polite">
          {announcement(steps)}
        </span>
      </VisuallyHidden>
    </>
  );
}

function StepItem({ step }: { step: Step }) {
  const Icon = ICONS[step.state];
  const isRunning = step.state === 'running';
  return (
    <li
      className="slw-Step"
      data-state={step.state}
      aria-current={isRunning ? 'step' : undefined}
    >
      <span className="slw-StepIcon" aria-hidden>
        <Icon size={16} />
      </span>
      <span className="slw-StepTitle">
        {step.title}
        <VisuallyHidden>, {messages.stepState[step.state]}</VisuallyHidden>
      </span>
      {step.startedAt && (
        <span className="slw-StepTime">
          <Duration from={step.startedAt} to={step.endedAt ?? null} />
        </span>
      )}
      {step.message && <p className="slw-StepMessage">{step.message}</p>}
      {isRunning && typeof step.progress === 'number' && (
        <progress
          className="slw-StepProgress"
          aria-label={step.title}
          max={100}
          value={Math.round(step.progress * 100)}
        />
      )}
    </li>
  );
}
