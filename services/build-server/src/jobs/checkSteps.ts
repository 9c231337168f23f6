import type { Job } from './Job.ts';
import { globFault } from './globs.ts';
import type { JobParameter, JobStep } from './JobStep.ts';
import { planSteps } from './planSteps.ts';
import { isNumber } from './readParameters.ts';

/**
 * Variables that affect a shell, a loader or git before the first line of a script:
 * setting them allows running arbitrary code.
 */
const RESERVED =
  /^(PATH|HOME|IFS|ENV|SHELL|SHELLOPTS|TMPDIR|PS4|BASH.*|LD_.*|DYLD_.*|NODE_OPTIONS|PYTHON(STARTUP|PATH|HOME)|PERL5.*|RUBYOPT|JAVA_TOOL_OPTIONS|GIT_.*|SLIPWAY_.*|JOB_NAME|BUILD_.*|WORKSPACE)$/;

/**
 * Reserved variables that the author of a file may set anyway, because the scripts are by the same
 * author; parameters and inputs come from others.
 */
const OF_AUTHORS =
  /^(NODE_OPTIONS|PYTHON(STARTUP|PATH|HOME)|PERL5.*|RUBYOPT|JAVA_TOOL_OPTIONS|GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE))$/;

/** A fault in the content of a job file. */
export interface Fault {
  /** Dotted path of the invalid key, or of its parent. */
  at: string;
  /** A sentence for people that begins with the key. */
  message: string;
}

/** Creates a fault whose message is the key followed by a text. */
export function fault(at: string, what: string): Fault {
  return { at, message: `${at}${what}` };
}

export function variableFaults(job: Job): Fault[] {
  const named = [
    ...(job.parameters ?? []).map(({ name }, index) => [
      'parameters',
      name,
      String(index),
    ]),
    ...Object.keys(job.environment ?? {}).map(name => ['environment', name]),
    ...job.steps.flatMap(({ environment = {} }, index) =>
      Object.keys(environment).map(name => [
        `steps.${index}.environment`,
        name,
      ]),
    ),
    ...job.steps.flatMap(({ secrets = {} }, index) =>
      Object.keys(secrets).map(name => [`steps.${index}.secrets`, name]),
    ),
    ...job.steps.flatMap(({ approval }, index) =>
      (approval?.inputs ?? []).map(({ name }, position) => [
        `steps.${index}.approval.inputs`,
        name,
        String(position),
      ]),
    ),
    ...job.steps.flatMap(({ matrix = {} }, index) =>
      Object.keys(matrix).map(name => [`steps.${index}.matrix`, name]),
    ),
    ...job.steps.flatMap(({ include = [] }, index) =>
      include.flatMap((one, position) =>
        Object.keys(one).map(name => [
          `steps.${index}.include.${position}`,
          name,
        ]),
      ),
    ),
  ];
  return named
    .filter(
      ([at, name]) =>
        RESERVED.test(name) &&
        !(/(?:^|\.)environment$/.test(at) && OF_AUTHORS.test(name)),
    )
    .map(([at, name, key = name]) => ({
      at: `${at}.${key}`,
      message: `${at}: ${name} is reserved`,
    }));
}

/** @param at - path of the list. */
export function parameterFaults(
  at: string,
  parameters: readonly JobParameter[] = [],
): Fault[] {
  const names = parameters.map(({ name }) => name);
  const faults = names
    .filter((name, index) => names.indexOf(name) !== index)
    .map(name => ({
      at: `${at}.${names.lastIndexOf(name)}`,
      message: `${at}: ${name} is defined twice`,
    }));
  for (const [index, parameter] of parameters.entries()) {
    const { name, type, choices, default: value } = parameter;
    const add = (what: string) =>
      faults.push({
        at: `${at}.${index}`,
        message: `${at}: ${what}`,
      });
    if ((type === 'choice') !== (choices !== undefined)) {
      add(`${name} must have choices if it is a choice, and only then`);
    }
    if (value !== undefined && choices && !choices.includes(value)) {
      add(`the default of ${name} is not one of its choices`);
    }
    const { minimum, maximum } = parameter;
    if (type !== 'number' && (minimum ?? maximum) !== undefined) {
      add(`only a number has bounds, which ${name} is not`);
    }
    if (type === 'number' && value !== undefined && !isNumber(value)) {
      add(`the default of ${name} must be a number`);
    }
    if (type === 'boolean' && value !== undefined && !isBoolean(value)) {
      add(`the default of ${name} must be true or false`);
    }
  }
  return faults;
}

/** Returns the faults of steps, individually and as a whole. */
export function stepFaults({ steps }: Job): Fault[] {
  const planned = planSteps(steps);
  return [
    ...steps.flatMap(({ approval }, index) =>
      parameterFaults(`steps.${index}.approval.inputs`, approval?.inputs),
    ),
    ...('plan' in planned
      ? []
      : planned.faults.map(({ at, what }) => fault(`steps.${at}`, ` ${what}`))),
  ];
}

/** Returns the faults of caches, services, and upstream jobs. */
export function partFaults(job: Job): Fault[] {
  const { cache = [], services = [], after = [], source } = job;
  const twice = (at: string, names: string[]) =>
    names
      .filter((name, index) => names.indexOf(name) !== index)
      .map(name =>
        fault(`${at}.${names.lastIndexOf(name)}`, `: ${name} is defined twice`),
      );
  const isSsh = source?.repository.startsWith('ssh://') ?? false;
  const hosts = source?.credentials?.knownHosts;
  return [
    ...twice(
      'cache',
      cache.map(({ name }) => name),
    ),
    ...twice(
      'services',
      services.map(({ name }) => name),
    ),
    ...after.flatMap(({ job: name }, index) =>
      name === job.name
        ? [fault(`after.${index}.job`, ' is the job itself')]
        : [],
    ),
    ...services.flatMap(({ run, image }, index) =>
      run === undefined && image === undefined
        ? [fault(`services.${index}`, ' must have run or image')]
        : [],
    ),
    ...(source?.credentials && isSsh !== (hosts !== undefined)
      ? [
          fault(
            'source.credentials.knownHosts',
            ' is required for a repository over ssh, and only there',
          ),
        ]
      : []),
  ];
}

/** Returns the faults of globs whose matching could take very long. */
export function globFaults(job: Job): Fault[] {
  const { junit, artifacts, cache = [], artifactsFrom = [], webhook } = job;
  const lists = [
    ['junit', junit] as const,
    ['artifacts', artifacts] as const,
    ...cache.map(
      ({ files }, index) => [`cache.${index}.files`, files] as const,
    ),
    ...artifactsFrom.map(
      ({ files }, index) => [`artifactsFrom.${index}.files`, files] as const,
    ),
    ['webhook.refs', webhook?.refs] as const,
  ];
  return lists.flatMap(([at, globs = []]) =>
    globs.flatMap((glob, index) => {
      const what = globFault(glob);
      return what === undefined ? [] : [fault(`${at}.${index}`, ` ${what}`)];
    }),
  );
}

/** Keys that have no meaning for an approval step. */
const OF_SCRIPTS = [
  'environment',
  'secrets',
  'matrix',
  'include',
  'workingDirectory',
  'retry',
  'network',
] as const satisfies (keyof JobStep)[];

/**
 * Finds steps that are not clearly either a script or an approval.
 *
 * @param value - the content of a file, of any type.
 */
export function kindFaults(value: unknown): Fault[] {
  const { steps } = (value ?? {}) as { steps?: unknown };
  return Array.isArray(steps)
    ? steps.flatMap((step: unknown, index) =>
        typeof step === 'object' && step !== null
          ? kindFaultsOf(step as JobStep, index)
          : [],
      )
    : [];
}

function kindFaultsOf(step: JobStep, index: number): Fault[] {
  const at = `steps.${index}`;
  if (step.run === undefined && !step.approval) {
    return [fault(`${at}.run`, ' is required')];
  }
  if (!step.approval) {
    return [];
  }
  return [
    ...(step.run === undefined
      ? []
      : [fault(`${at}.run`, ' is not for a step with an approval')]),
    ...OF_SCRIPTS.filter(key => step[key] !== undefined).map(key =>
      fault(`${at}.${key}`, ' is not for a step with an approval'),
    ),
  ];
}

function isBoolean(value: string): boolean {
  return value === 'true' || value === 'false';
}
