import { Condition, CONDITION_FACTS, ConditionError } from './Condition.ts';
import type { JobStep } from './JobStep.ts';
import { nearest } from './nearest.ts';

/** A step as it runs: each combination of a matrix is one. */
export interface PlannedStep {
  /** Name with the values of its combination: `Test (22, linux)`. */
  name: string;
  step: JobStep;
  /** Variables of its combination. */
  variables: Readonly<Record<string, string>>;
  /** Positions of the steps it depends on. */
  needs: readonly number[];
  condition?: Condition;
}

/** A fault in the steps as a whole. */
interface StepFault {
  /** Dotted path below the list of steps. */
  at: string;
  /** The end of a sentence that begins with the path. */
  what: string;
}

/** The maximum number of steps of a job, after matrix expansion. */
const MAX_STEPS = 256;

/**
 * Plans the order of steps. A step without `needs` follows the previous one in the file;
 * `needs: []` starts immediately, and steps with the same needs run in parallel.
 *
 * @returns the steps in the order of the file, or all faults.
 */
export function planSteps(
  steps: readonly JobStep[],
): { plan: PlannedStep[] } | { faults: StepFault[] } {
  const faults: StepFault[] = [];
  const names = steps.map(({ name }) => name);
  const expanded: (Omit<PlannedStep, 'needs'> & { of: number })[] = [];
  for (const [index, step] of steps.entries()) {
    if (names.indexOf(step.name) !== index && usesNames(steps)) {
      faults.push({ at: `${index}.name`, what: 'is defined twice' });
    }
    const condition = conditionOf(step, fault =>
      faults.push({ at: `${index}.if`, what: fault }),
    );
    const own = combinationsOf(step).map(variables => {
      const values = Object.values(variables).join(', ');
      const name = values === '' ? step.name : `${step.name} (${values})`;
      return { name, step, variables, condition, of: index };
    });
    if (own.length === 0) {
      // Steps that need it would not wait for anything.
      faults.push({ at: `${index}.exclude`, what: 'leaves no combination' });
    }
    const repeated = step.include && faultOfRepeated(own);
    if (repeated) {
      faults.push({ at: `${index}.include`, what: repeated });
    }
    expanded.push(...own);
    if (expanded.length > MAX_STEPS) {
      const what = `makes more than ${MAX_STEPS} steps`;
      const key = step.matrix ? 'matrix' : 'include';
      return { faults: [{ at: `${index}.${key}`, what }] };
    }
  }
  const needed = steps.map((step, index) =>
    neededBy(step, { index, names, faults }),
  );
  const cycle = faults.length === 0 ? findCycle(needed) : undefined;
  if (cycle) {
    const path = cycle.map(index => names[index]).join(' → ');
    faults.push({ at: `${cycle[0]}.needs`, what: `goes in a circle: ${path}` });
  }
  if (faults.length > 0) {
    return { faults };
  }
  return {
    plan: expanded.map(({ of, ...planned }) => ({
      ...planned,
      needs: expanded.flatMap((other, position) =>
        needed[of].includes(other.of) ? [position] : [],
      ),
    })),
  };
}

/** Plans the steps of a job that was checked. */
export function planOf(steps: readonly JobStep[]): PlannedStep[] {
  const planned = planSteps(steps);
  if ('faults' in planned) {
    throw new Error('A job with faults is not built');
  }
  return planned.plan;
}

/** Checks that no two steps of a plan run in parallel. */
export function isSequential(plan: readonly PlannedStep[]): boolean {
  return plan.every(
    ({ needs }, index) => index === 0 || needs.includes(index - 1),
  );
}

/**
 * Selects the steps that need not run again: those that passed and that no step to be run
 * needs. Steps of a build share one folder, so a step runs again together with the steps
 * that produce its input.
 *
 * @returns their positions.
 */
export function keptSteps(
  plan: readonly PlannedStep[],
  passed: readonly string[],
): Set<number> {
  const names = new Set(passed);
  const running = new Set<number>();
  const follow = (index: number, next: (of: number) => readonly number[]) => {
    for (const other of next(index)) {
      if (!running.has(other)) {
        running.add(other);
        follow(other, next);
      }
    }
  };
  const dependents = (of: number) =>
    [...plan.keys()].filter(index => plan[index].needs.includes(of));
  for (const index of plan.keys()) {
    if (!names.has(plan[index].name)) {
      running.add(index);
      follow(index, dependents);
    }
  }
  for (const index of [...running]) {
    follow(index, of => plan[of].needs);
  }
  return new Set([...plan.keys()].filter(index => !running.has(index)));
}

/**
 * Checks whether steps refer to each other by name. Names did not have to be unique
 * before `needs` existed.
 */
function usesNames(steps: readonly JobStep[]): boolean {
  return steps.some(
    ({ needs, matrix, include, approval }) =>
      needs || matrix || include || approval,
  );
}

function conditionOf(
  { if: text }: JobStep,
  addFault: (fault: string) => void,
): Condition | undefined {
  try {
    return text === undefined
      ? undefined
      : new Condition(text, CONDITION_FACTS);
  } catch (error) {
    if (!(error instanceof ConditionError)) {
      throw error;
    }
    addFault(error.message);
    return undefined;
  }
}

function neededBy(
  { needs }: JobStep,
  options: { index: number; names: string[]; faults: StepFault[] },
): number[] {
  const { index, names, faults } = options;
  if (!needs) {
    return index === 0 ? [] : [index - 1];
  }
  return needs.flatMap((name, position) => {
    const found = names.indexOf(name);
    if (found < 0) {
      const near = nearest(name, names);
      const guess = near === undefined ? '' : `; is ${near} meant?`;
      const what = `is no step: ${name}${guess}`;
      faults.push({ at: `${index}.needs.${position}`, what });
    }
    return found < 0 ? [] : [found];
  });
}

/**
 * Returns the fault of a matrix with duplicate combinations, or with combinations that produce the
 * same step name; undefined if there is none.
 */
function faultOfRepeated(
  steps: readonly Pick<PlannedStep, 'name' | 'variables'>[],
): string | undefined {
  const combinations = steps.map(({ variables }) =>
    JSON.stringify(Object.entries(variables).sort()),
  );
  if (new Set(combinations).size < steps.length) {
    return 'contains the same combination twice';
  }
  return new Set(steps.map(({ name }) => name)).size < steps.length
    ? 'has combinations of the same values, which make steps of the same name'
    : undefined;
}

/**
 * Returns every combination of a matrix except those excluded, then those included; a single empty
 * one if there are neither.
 */
function combinationsOf({
  matrix,
  exclude = [],
  include = [],
}: JobStep): Record<string, string>[] {
  if (!matrix && include.length > 0) {
    return include;
  }
  const all = Object.entries(matrix ?? {}).reduce<Record<string, string>[]>(
    (before, [variable, values]) =>
      before.length > MAX_STEPS
        ? before
        : before.flatMap(one =>
            values.map(value => ({ ...one, [variable]: value })),
          ),
    [{}],
  );
  const chosen = all.filter(
    one =>
      !exclude.some(pattern =>
        Object.entries(pattern).every(([name, value]) => one[name] === value),
      ),
  );
  return [...chosen, ...include];
}

/**
 * Finds a cycle.
 *
 * @returns its steps, ending with the first one again; undefined if there is none.
 */
function findCycle(
  needed: readonly (readonly number[])[],
): number[] | undefined {
  const done = new Set<number>();
  const visit = (index: number, path: number[]): number[] | undefined => {
    const seen = path.indexOf(index);
    if (seen >= 0) {
      return [...path.slice(seen), index];
    }
    if (done.has(index)) {
      return undefined;
    }
    for (const other of needed[index]) {
      const found = visit(other, [...path, index]);
      if (found) {
        return found;
      }
    }
    done.add(index);
    return undefined;
  };
  for (const index of needed.keys()) {
    const found = visit(index, []);
    if (found) {
      return found;
    }
  }
  return undefined;
}
