import type { StartedBuild } from '../builds/Build.ts';
import type { ConditionFacts } from '../jobs/Condition.ts';
import { isSequential, type PlannedStep } from '../jobs/planSteps.ts';
import type { Output } from './commands.ts';
import type { PlacedBuild } from './PlacedBuild.ts';
import { within } from './within.ts';

/** Steps of one build that run at a time. */
const AT_ONCE = 4;

/** How a step went. A step that its condition left out keeps no other from running. */
type End = 'passed' | 'blocked';

/** Lets so much work go on at a time; the rest waits for its turn. */
class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free === 0) {
      await new Promise<void>(resolve => {
        this.#waiting.push(resolve);
      });
    } else {
      this.#free -= 1;
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) {
        next();
      } else {
        this.#free += 1;
      }
    }
  }
}

/**
 * Runs steps as soon as those are done that they need. A step that fails keeps those from running that
 * need it, unless they run always; the others go on.
 *
 * @param options.first - position of the first step in the progress of the build.
 * @returns why the first step that failed did.
 * @throws Interruption
 */
export async function runPlan(
  placed: PlacedBuild,
  plan: readonly PlannedStep[],
  options: { first: number; signal: AbortSignal },
): Promise<string | null> {
  const { progress } = placed;
  const { first, signal } = options;
  const isAlone = isSequential(plan);
  const facts = factsOf(placed.build);
  const slots = new Slots(AT_ONCE);
  let failed: string | null = null;

  const running = new Map<number, Promise<End>>();
  /** Begins a step once, whichever asks for it first. */
  function begin(index: number): Promise<End> {
    const found = running.get(index) ?? run(index);
    running.set(index, found);
    return found;
  }

  async function run(index: number): Promise<End> {
    const planned = plan[index];
    const { name, step, condition } = planned;
    const ends = await Promise.all(planned.needs.map(need => begin(need)));
    const blocking = ends.indexOf('blocked');
    if (blocking >= 0 && !step.always) {
      progress.skip(
        first + index,
        `${plan[planned.needs[blocking]].name} did not pass`,
      );
      return 'blocked';
    }
    // What follows on a step that always runs is as little to run as before it.
    const passed: End = blocking >= 0 ? 'blocked' : 'passed';
    if (condition && !condition.isMet(facts)) {
      progress.skip(first + index, 'Its condition is not met');
      return passed;
    }
    const failure = await slots.use(async () => {
      await progress.begin(first + index);
      await placed.log.note(`==> ${name}`);
      return runStep(placed, planned, { isAlone, signal });
    });
    if (failure === null) {
      progress.end(first + index, 'done');
    } else if (step.allowFailure) {
      progress.end(first + index, 'warning', failure);
    } else {
      progress.end(first + index, 'failed', failure);
      failed ??= `${name} failed: ${failure}`;
      return 'blocked';
    }
    return passed;
  }

  const settled = await Promise.allSettled(
    plan.map((_, index) => begin(index)),
  );
  const broken = settled.find(({ status }) => status === 'rejected');
  if (broken?.status === 'rejected') {
    throw broken.reason;
  }
  return failed;
}

/** @returns why the step failed, also the last time that it was tried. */
async function runStep(
  placed: PlacedBuild,
  planned: PlannedStep,
  options: { isAlone: boolean; signal: AbortSignal },
): Promise<string | null> {
  const { log } = placed;
  const { name, step } = planned;
  const { times = 0, exitCodes } = step.retry ?? {};
  const lines = options.isAlone ? undefined : log.lines(`[${name}] `);
  const output: Output = chunk => (lines ?? log).write(chunk);
  for (let left = times; ; left -= 1) {
    const failure = await tryStep(placed, planned, { ...options, output });
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
  { signal, output }: { signal: AbortSignal; output: Output },
): Promise<string | null> {
  const { workingDirectory, timeoutSeconds } = step;
  const script = ['/bin/sh', '-e', '-c', step.run];
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
        // What was checked out, where the trigger may have named a tag or nothing.
        ...(job.source && { GIT_COMMIT: progress.source?.after ?? '' }),
        ...step.environment,
        ...variables,
        // Whoever opens a pull request from a fork decides what its steps do.
        ...(!build.source?.pullRequest?.isFork && secrets.environmentOf(step)),
      },
      signal: limited,
      output,
    });
  if (timeoutSeconds === undefined) {
    return run(signal);
  }
  try {
    return await within(timeoutSeconds * 1_000, signal, run);
  } catch (error) {
    if (signal.aborted) {
      throw error;
    }
    return `it timed out after ${timeoutSeconds} seconds`;
  }
}

/** What conditions may ask about a build. */
function factsOf({ source, kind, parameters }: StartedBuild): ConditionFacts {
  const { ref = '', pullRequest } = source ?? {};
  const after = (prefix: string) =>
    ref.startsWith(prefix) ? ref.slice(prefix.length) : '';
  return {
    ref,
    branch: pullRequest?.branch ?? after('refs/heads/'),
    tag: after('refs/tags/'),
    event: kind,
    base: pullRequest?.base ?? '',
    pullRequest: pullRequest !== undefined,
    fork: pullRequest?.isFork ?? false,
    ...Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [
        `parameters.${name}`,
        value,
      ]),
    ),
  };
}
