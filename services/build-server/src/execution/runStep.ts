import { timeoutMsOf } from '../jobs/Job.ts';
import type { PlannedStep } from '../jobs/planSteps.ts';
import { type Output, withinOr } from './commands.ts';
import { gitVariables, type PlacedBuild } from './PlacedBuild.ts';

/**
 * Runs the program of a step, again as often as its rule says.
 *
 * @param options.begun - resolves once the start of the step is stored.
 * @returns why the step failed, after its last retry.
 */
export async function runStep(
  placed: PlacedBuild,
  planned: PlannedStep,
  options: {
    isAlone: boolean;
    signal: AbortSignal;
    inputs: Readonly<Record<string, string>>;
    begun: Promise<void>;
  },
): Promise<string | null> {
  const { log } = placed;
  const { name, step } = planned;
  const { times = 0, exitCodes } = step.retry ?? {};
  const lines = options.isAlone ? undefined : log.lines(`[${name}] `);
  const output: Output = async chunk => {
    await options.begun;
    await (lines ?? log).write(chunk);
  };
  for (let left = times; ; left -= 1) {
    const failure = await tryStep(placed, planned, { ...options, output });
    await options.begun;
    await lines?.end();
    const [, code] = /exit code (\d+)$/.exec(failure ?? '') ?? [];
    const isRetried = !exitCodes || exitCodes.includes(Number(code));
    if (failure === null || left === 0 || !isRetried) {
      return failure;
    }
    await log.note(`==> ${name}: ${failure}; it runs again`);
  }
}

async function tryStep(
  { build, job, place, secrets, progress }: PlacedBuild,
  { step, variables }: PlannedStep,
  options: {
    signal: AbortSignal;
    output: Output;
    inputs: Readonly<Record<string, string>>;
  },
): Promise<string | null> {
  const { signal, output, inputs } = options;
  const { workingDirectory, timeoutSeconds } = step;
  const script = ['/bin/sh', '-e', '-c', step.run!];
  const run = (limited: AbortSignal) =>
    place.run({
      argv:
        workingDirectory === undefined
          ? script
          : [
              '/bin/sh',
              '-c',
              'cd -- "$0" && exec "$@"',
              workingDirectory,
              ...script,
            ],
      environment: {
        // What was checked out, since the trigger may have named a tag or nothing.
        ...(job.source && gitVariables(progress.source)),
        ...step.environment,
        ...inputs,
        ...variables,
        // The author of a pull request from a fork controls what its steps do.
        ...(!build.source?.pullRequest?.isFork && secrets.environmentOf(step)),
      },
      isOffline: step.network === 'none',
      timeoutSeconds: timeoutSeconds ?? timeoutMsOf(job) / 1_000,
      signal: limited,
      output,
    });
  if (timeoutSeconds === undefined) {
    return run(signal);
  }
  const late = `it timed out after ${timeoutSeconds} seconds`;
  return withinOr<string | null>(late, timeoutSeconds * 1_000, signal, run);
}
