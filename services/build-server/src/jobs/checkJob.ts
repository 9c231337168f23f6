import { Check, Errors, Pointer } from 'typebox/schema';
import type { StepSecrets } from '../secrets/StepSecrets.ts';
import {
  type Fault,
  fault,
  globFaults,
  kindFaults,
  parameterFaults,
  partFaults,
  stepFaults,
  variableFaults,
} from './checkSteps.ts';
import { type Job, JobSchema, secretsOf } from './Job.ts';
import { type KnownJobs, otherJobFaults } from './otherJobs.ts';
import { Schedule } from './Schedule.ts';
import { TimeZone } from './TimeZone.ts';

/** Rules for jobs, in addition to the schema. */
export interface JobRules {
  /** Names of the secrets that jobs may refer to, such as webhook tokens and signing secrets. */
  secrets: Pick<ReadonlySet<string>, 'has'>;
  stepSecrets: Pick<StepSecrets, 'refusalOf'>;
  /** Name of the server's job whose repository contains the file; undefined for a file of the server. */
  repositoryOf?: string;
  /** The jobs that `after` and `artifactsFrom` may name; any by default. */
  others?: KnownJobs;
  /** Production requires signed webhooks, unless the job allows unsigned ones. */
  isProduction: boolean;
}

/** Returns every fault in the content of a job file. */
export function checkJob(
  value: unknown,
  rules: JobRules,
): { job: Job } | { faults: Fault[] } {
  const ofPlace = placeFaults(value, rules);
  const [, errors] = Errors(JobSchema, value);
  const ofForm = errors.flatMap(describe);
  const checkable = withoutFaulty(value, [...ofPlace, ...ofForm]);
  const faults = [
    ...ofPlace,
    ...kindFaults(value),
    ...ofForm,
    ...(checkable ? ruleFaults(checkable, rules) : []),
  ];
  if (faults.length === 0) {
    return { job: checkable! };
  }
  const messages = faults.map(({ message }) => message);
  return {
    faults: faults.filter(
      ({ message }, index) => messages.indexOf(message) === index,
    ),
  };
}

/**
 * Keys that other parts of a job refer to. If one of them is faulty, the rules are not checked, because
 * they would report false faults.
 */
const REFERRED = new Set([
  ...['name', 'steps', 'needs', 'matrix', 'parameters', 'webhook', 'source'],
  ...['pipelines', 'services', 'cache', 'deployment', 'approval', 'inputs'],
]);

/**
 * Returns a job without its faulty keys, so that its other parts can be checked; undefined if these may
 * depend on a faulty key.
 */
function withoutFaulty(
  value: unknown,
  faults: readonly Fault[],
): Job | undefined {
  const copy: unknown = faults.length > 0 ? structuredClone(value) : value;
  for (const { at } of faults) {
    const names = at.split('.');
    const key = names.pop()!;
    const parent = names.reduce(memberOf, copy);
    const isNeeded = /^\d+$/.test(key) || REFERRED.has(key);
    if (isNeeded || typeof parent !== 'object' || parent === null) {
      return undefined;
    }
    Reflect.deleteProperty(parent, key);
  }
  if (!Check(JobSchema, copy)) {
    return undefined;
  }
  return { ...copy, steps: copy.steps ?? [] } as Job;
}

/** Returns an object's own member. */
function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' &&
    value !== null &&
    Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** Returns the faults that the schema cannot detect. */
function ruleFaults(job: Job, rules: JobRules): Fault[] {
  return [
    ...variableFaults(job),
    ...parameterFaults('parameters', job.parameters),
    ...stepFaults(job),
    ...scheduleFaults(job),
    ...partFaults(job),
    ...globFaults(job),
    ...referenceFaults(job, rules.secrets),
    ...signatureFaults(job, rules),
    ...(rules.others ? otherJobFaults(job, rules.others) : []),
    ...secretsOf(job).flatMap(name => {
      const refusal = rules.stepSecrets.refusalOf(
        rules.repositoryOf ?? job.name,
        name,
      );
      return refusal === undefined ? [] : [fault('steps', `: ${refusal}`)];
    }),
  ];
}

function describe(error: {
  keyword: string;
  schemaPath: string;
  instancePath: string;
  params: object;
  message: string;
}): Fault[] {
  const { keyword, schemaPath, instancePath, params, message } = error;
  const at = instancePath.split('/').slice(1).join('.');
  const of = (name: string) => (at ? `${at}.${name}` : name);
  const names = (key: string) =>
    ((params as Record<string, unknown>)[key] as string[] | undefined) ?? [];
  switch (keyword) {
    case 'required':
      return names('requiredProperties').map(name =>
        fault(of(name), ' is required'),
      );
    case 'additionalProperties':
      return names('additionalProperties').map(name =>
        fault(of(name), ' is not a known key'),
      );
    case 'boolean':
      // additionalProperties reports the same, with the name.
      return [];
    case 'pattern':
      return [fault(at, ` ${patternAt(schemaPath)}`)];
    default:
      return [{ at, message: `${at || 'the file'} ${message}` }];
  }
}

/**
 * Describes the expected pattern in words: a regular expression does not help people, so
 * its schema has a description.
 */
function patternAt(schemaPath: string): string {
  const pointer = schemaPath.replace('#', '');
  return (Pointer.Get(JobSchema, pointer) as { patternDescription: string })
    .patternDescription;
}

/** Keys of job files allowed in a repository's file; the others control the server. */
const OF_REPOSITORY = new Set([
  'name',
  'description',
  'environment',
  'steps',
  'junit',
  'artifacts',
  'cache',
  'services',
]);

/** Checks where the steps are defined, and rejects keys that the author of a push may not set. */
function placeFaults(
  value: unknown,
  { repositoryOf }: Pick<JobRules, 'repositoryOf'>,
): Fault[] {
  const { steps, pipelines, source } = (value ?? {}) as Partial<Job>;
  if (repositoryOf !== undefined) {
    const keys = Object.keys((value ?? {}) as object);
    const refused = keys
      .filter(key => !OF_REPOSITORY.has(key) && key in JobSchema.properties)
      .map(key => fault(key, ' is for the job file of the server alone'));
    return [
      ...(steps === undefined ? [fault('steps', ' is required')] : []),
      ...refused,
    ];
  }
  if (pipelines === undefined) {
    return steps === undefined ? [fault('steps', ' is required')] : [];
  }
  return [
    ...(steps === undefined
      ? []
      : [fault('steps', ' are in the repository where there are pipelines')]),
    ...(source === undefined
      ? [fault('pipelines', ' needs a source: the repository of the files')]
      : []),
  ];
}

function scheduleFaults({
  name,
  schedule = [],
  timeZone,
  after = [],
  parameters = [],
}: Job): Fault[] {
  const faults = schedule.flatMap((text, index) => {
    try {
      return new Schedule(text, name) && [];
    } catch (error) {
      return [fault(`schedule.${index}`, ` ${(error as Error).message}`)];
    }
  });
  const lacking = parameters.find(
    ({ required, default: value, choices }) =>
      required && value === undefined && !choices,
  );
  return [
    ...faults,
    ...(isTimeZone(timeZone)
      ? []
      : [fault('timeZone', ' is no time zone, e.g. Europe/Berlin')]),
    ...(schedule.length > 0 && lacking
      ? [fault('schedule', ` gives no value to ${lacking.name}`)]
      : []),
    ...(after.length > 0 && lacking
      ? [fault('after', ` gives no value to ${lacking.name}`)]
      : []),
  ];
}

function isTimeZone(name: string | undefined): boolean {
  try {
    return new TimeZone(name) && true;
  } catch {
    return false;
  }
}

function referenceFaults(job: Job, secrets: JobRules['secrets']): Fault[] {
  const { webhook, deployment, source, parameters = [] } = job;
  const declared = new Set(parameters.map(({ name }) => name));
  const asked = [
    ['source.branchFrom', source?.branchFrom],
    ['deployment.environmentFrom', deployment?.environmentFrom],
    ['deployment.versionFrom', deployment?.versionFrom],
  ] as const;
  const faults = asked
    .filter(([, name]) => name !== undefined && !declared.has(name))
    .map(([at, name]) => fault(at, `: there is no parameter ${name}`));
  const hidden = [
    ['webhook.token', webhook?.token] as const,
    ...(webhook?.signingSecrets ?? []).map(
      name => ['webhook.signingSecrets', name] as const,
    ),
    ['buildToken', job.buildToken] as const,
  ];
  for (const [at, name] of hidden) {
    if (name !== undefined && !secrets.has(name)) {
      faults.push(fault(at, `: buildServer.secrets has no ${name}`));
    }
  }
  if (
    deployment &&
    (deployment.environment === undefined) ===
      (deployment.environmentFrom === undefined)
  ) {
    faults.push(
      fault(
        'deployment',
        ' must have environment or environmentFrom, one of the two',
      ),
    );
  }
  return faults;
}

function signatureFaults(
  { name, webhook }: Job,
  { isProduction }: JobRules,
): Fault[] {
  const isSigned = webhook?.signingSecrets !== undefined;
  if (isSigned && webhook.unsigned) {
    return [
      fault('webhook.unsigned', ': webhooks with signingSecrets are signed'),
    ];
  }
  return webhook && !isSigned && !webhook.unsigned && isProduction
    ? [
        fault(
          'webhook.signingSecrets',
          ` is required in production, because otherwise anyone who sees the address of a webhook can trigger the job ${name}. To accept the token alone, set webhook.unsigned to allow`,
        ),
      ]
    : [];
}
