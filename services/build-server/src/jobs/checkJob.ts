import Value from 'typebox/value';
import type { StepSecrets } from '../secrets/StepSecrets.ts';
import { type Job, JobSchema, secretsOf } from './Job.ts';
import { planSteps } from './planSteps.ts';
import { Schedule } from './Schedule.ts';

/**
 * Variables that decide what a shell, a loader or git does before the first line of a
 * script: whoever may set them runs what they like.
 */
const RESERVED =
  /^(PATH|HOME|IFS|ENV|SHELL|SHELLOPTS|TMPDIR|PS4|BASH.*|LD_.*|DYLD_.*|NODE_OPTIONS|PYTHON(STARTUP|PATH|HOME)|PERL5.*|RUBYOPT|JAVA_TOOL_OPTIONS|GIT_.*|SLIPWAY_.*|JOB_NAME|BUILD_.*|WORKSPACE)$/;

/** What jobs are held to, beside the schema. */
export interface JobRules {
  /** Names of webhook tokens, signing secrets and the like that jobs may refer to. */
  secrets: Pick<ReadonlySet<string>, 'has'>;
  stepSecrets: Pick<StepSecrets, 'refusalOf'>;
  /** Name of the job of the server whose repository has the file; undefined for a file of the server. */
  repositoryOf?: string;
  /** Production demands signed webhooks, unless the job allows unsigned ones. */
  isProduction: boolean;
}

/** Something wrong with what a job file holds. */
interface Fault {
  /** Dotted path of the key at fault, or of the one around it. */
  at: string;
  /** A sentence for people that begins with the key. */
  message: string;
}

/** Says everything that is wrong with what a job file holds. */
export function checkJob(
  value: unknown,
  rules: JobRules,
): { job: Job } | { faults: Fault[] } {
  const faults = [
    ...stepsFaults(value, rules),
    ...[...Value.Errors(JobSchema, value)].flatMap(describe),
  ];
  if (faults.length > 0) {
    const messages = faults.map(({ message }) => message);
    return {
      faults: faults.filter(
        ({ message }, index) => messages.indexOf(message) === index,
      ),
    };
  }
  const job: Job = { ...(value as Job), steps: (value as Job).steps ?? [] };
  faults.push(
    ...variableFaults(job),
    ...parameterFaults(job),
    ...planFaults(job),
    ...scheduleFaults(job),
    ...referenceFaults(job, rules.secrets),
    ...signatureFaults(job, rules),
    ...secretsOf(job).flatMap(name => {
      const refusal = rules.stepSecrets.refusalOf(
        rules.repositoryOf ?? job.name,
        name,
      );
      return refusal === undefined ? [] : [fault('steps', `: ${refusal}`)];
    }),
  );
  return faults.length > 0 ? { faults } : { job };
}

/** A fault whose message is the key and what follows on it. */
function fault(at: string, what: string): Fault {
  return { at, message: `${at}${what}` };
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
      // What additionalProperties says as well, with the name.
      return [];
    case 'pattern':
      return [fault(at, ` ${patternAt(schemaPath)}`)];
    default:
      return [{ at, message: `${at || 'the file'} ${message}` }];
  }
}

/** A regular expression tells people nothing: its schema says beside it what it means. */
function patternAt(schemaPath: string): string {
  const pointer = schemaPath.replace('#', '');
  return (
    Value.Pointer.Get(JobSchema, pointer) as { patternDescription: string }
  ).patternDescription;
}

function variableFaults(job: Job): Fault[] {
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
    ...job.steps.flatMap(({ matrix = {} }, index) =>
      Object.keys(matrix).map(name => [`steps.${index}.matrix`, name]),
    ),
  ];
  return named
    .filter(([, name]) => RESERVED.test(name))
    .map(([at, name, key = name]) => ({
      at: `${at}.${key}`,
      message: `${at}: ${name} is reserved`,
    }));
}

/** Keys of job files that a file of a repository may have; the rest decides what the server does. */
const OF_REPOSITORY = new Set([
  'name',
  'description',
  'environment',
  'steps',
  'junit',
  'artifacts',
]);

/** Checks where the steps stand, and refuses keys that the author of a push may not set. */
function stepsFaults(
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

function planFaults({ steps }: Job): Fault[] {
  const planned = planSteps(steps);
  return 'plan' in planned
    ? []
    : planned.faults.map(({ at, what }) => fault(`steps.${at}`, ` ${what}`));
}

function scheduleFaults({
  name,
  schedule = [],
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
  return schedule.length > 0 && lacking
    ? [...faults, fault('schedule', ` gives no value to ${lacking.name}`)]
    : faults;
}

function parameterFaults({ parameters = [] }: Job): Fault[] {
  const names = parameters.map(({ name }) => name);
  const faults = names
    .filter((name, index) => names.indexOf(name) !== index)
    .map(name => ({
      at: `parameters.${names.lastIndexOf(name)}`,
      message: `parameters: ${name} is defined twice`,
    }));
  for (const [index, parameter] of parameters.entries()) {
    const { name, type, choices, default: value } = parameter;
    const add = (what: string) =>
      faults.push({
        at: `parameters.${index}`,
        message: `parameters: ${what}`,
      });
    if ((type === 'choice') !== (choices !== undefined)) {
      add(`${name} must have choices if it is a choice, and only then`);
    }
    if (value !== undefined && choices && !choices.includes(value)) {
      add(`the default of ${name} is not one of its choices`);
    }
    if (type === 'boolean' && value !== undefined && !isBoolean(value)) {
      add(`the default of ${name} must be true or false`);
    }
  }
  return faults;
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

function isBoolean(value: string): boolean {
  return value === 'true' || value === 'false';
}
