import { StartStep } from '@slipway/plugin-ide-launcher-common';

/** What a step says whose end nobody saw. */
const INTERRUPTED = 'Interrupted before it was done';

/** The steps with those that still run marked as interrupted at `at`; nothing waits for them any more. */
export function interruptSteps(steps: StartStep[], at: string): StartStep[] {
  return steps.map(step =>
    step.state === 'running'
      ? {
          ...step,
          state: 'warning',
          progress: null,
          message: INTERRUPTED,
          endedAt: at,
        }
      : step,
  );
}
