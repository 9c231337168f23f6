import type { PlannedStep } from '../jobs/planSteps.ts';
import type { Interruption } from './commands.ts';
import { PlaceLostError } from './Executor.ts';
import type { PlacedBuild } from './PlacedBuild.ts';
import { runStep } from './runPlan.ts';

const LOST: Interruption = { kind: 'lost' };

/** Runs a step with a timeout in a place where its program ends as given. */
function runWith(
  run: (command: { signal: AbortSignal }) => Promise<string | null>,
): Promise<string | null> {
  const step = { name: 'Test', run: 'true', timeoutSeconds: 1 };
  return runStep(
    {
      build: { source: null },
      job: { steps: [step] },
      place: { run },
      secrets: { environmentOf: () => ({}) },
      progress: { source: null },
      log: { write: async () => {}, note: async () => {} },
    } as unknown as PlacedBuild,
    { name: 'Test', step, variables: {}, needs: [] } as unknown as PlannedStep,
    {
      ...{ isAlone: true, inputs: {}, begun: Promise.resolve() },
      signal: new AbortController().signal,
    },
  );
}

describe('a step with a timeout', () => {
  it('times out', async () => {
    const failure = await runWith(
      ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    );
    expect(failure).toBe('it timed out after 1 seconds');
  });

  it('does not time out because its place is lost', async () => {
    const lost = new PlaceLostError('The pod was evicted');
    await expect(runWith(() => Promise.reject(lost))).rejects.toBe(lost);
  });

  it('does not time out because its build was taken away', async () => {
    await expect(runWith(() => Promise.reject(LOST))).rejects.toBe(LOST);
  });
});
