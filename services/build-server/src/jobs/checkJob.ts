import Value from 'typebox/value';
import type { StepSecrets } from '../secrets/StepSecrets.ts';
import { type Job, JobSchema, secretsOf } from './Job.ts';

/**
 * Variables that decide what a shell, a loader or git does before the first line of a
 * script: whoever may set them runs what they like.
 */
const RESERVED =
  /^(PATH|HOME|IFS|ENV|SHELL|SHELLOPTS|TMPDIR|PS4|BASH.*|LD_.*|DYLD_.*|NODE_OPTIONS|PYTHON(STARTUP|PATH|HOME)|PERL5.*|RUBYOPT|JAVA_TOOL_OPTIONS|GIT_.*|SLIPWAY_.*|JOB_NAME|BUILD_.*|WORKSPACE)$/;

/** What jobs are held to, beside the schema. */
export interface JobRules {
  /** Names of webhook tokens, signing secrets and the like that jobs may refer to. */
  secrets: ReadonlySet<string>;
  stepSecrets: Pick<StepSecrets, 'refusalOf'>;
  /** Production demands signed webhooks, unless the job allows unsigned ones. */
  isProduction: boolean;
}

/** Says everything that is wrong with what a job file holds. */
export function checkJob(
  value: unknown,
  rules: JobRules,
): { job: Job } | { faults: string[] } {
  const faults = [...Value.Errors(JobSchema, value)].flatMap(describe);
  if (faults.length > 0) {
    return { faults: [...new Set(faults)] };
  }
  const job = value as Job;
  faults.push(
    ...variableFaults(job),
    ...parameterFaults(job),
    ...referenceFaults(job, rules.secrets),
    ...signatureFaults(job, rules),
    ...secretsOf(job).flatMap(name => {
      const refusal = rules.stepSecrets.refusalOf(job.name, name);
      return refusal === undefined ? [] : [`steps: ${refusal}`];
    }),
  );
  return faults.length > 0 ? { faults } : { job };
}

function describe(error: {
  keyword: string;
  schemaPath: string;
  instancePath: string;
  params: object;
  message: string;
}): string[] {
  const { keyword, schemaPath, instancePath, params, message } = error;
  const at = instancePath.split('/').slice(1).join('.');
  const of = (name: string) => (at ? `${at}.${name}` : name);
  const names = (key: string) =>
    ((params as Record<string, unknown>)[key] as string[] | undefined) ?? [];
  switch (keyword) {
    case 'required':
      return names('requiredProperties').map(name => `${of(name)} is required`);
    case 'additionalProperties':
      return names('additionalProperties').map(
        name => `${of(name)} is not a known key`,
      );
    case 'boolean':
      // What additionalProperties says as well, with the name.
      return [];
    case 'pattern':
      return [`${at} ${patternAt(schemaPath)}`];
    default:
      return [`${at || 'the file'} ${message}`];
  }
}

/** A regular expression tells people nothing: its schema says beside it what it means. */
function patternAt(schemaPath: string): string {
  const pointer = schemaPath.replace('#', '');
  return (
    Value.Pointer.Get(JobSchema, pointer) as { patternDescription: string }
  ).patternDescription;
}

function variableFaults(job: Job): string[] {
  const named = [
    ...(job.parameters ?? []).map(({ name }) => ['parameters', name]),
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
  ];
  return named
    .filter(([, name]) => RESERVED.test(name))
    .map(([at, name]) => `${at}: ${name} is reserved`);
}

function parameterFaults({ parameters = [] }: Job): string[] {
  const names = parameters.map(({ name }) => name);
  const faults = names
    .filter((name, index) => names.indexOf(name) !== index)
    .map(name => `parameters: ${name} is defined twice`);
  for (const parameter of parameters) {
    const { name, type, choices, default: value } = parameter;
    if ((type === 'choice') !== (choices !== undefined)) {
      faults.push(
        `parameters: ${name} must have choices if it is a choice, and only then`,
      );
    }
    if (value !== undefined && choices && !choices.includes(value)) {
      faults.push(
        `parameters: the default of ${name} is not one of its choices`,
      );
    }
    if (type === 'boolean' && value !== undefined && !isBoolean(value)) {
      faults.push(`parameters: the default of ${name} must be true or false`);
    }
  }
  return faults;
}

function referenceFaults(job: Job, secrets: ReadonlySet<string>): string[] {
  const { webhook, deployment, source, parameters = [] } = job;
  const declared = new Set(parameters.map(({ name }) => name));
  const asked = [
    ['source.branchFrom', source?.branchFrom],
    ['deployment.environmentFrom', deployment?.environmentFrom],
    ['deployment.versionFrom', deployment?.versionFrom],
  ] as const;
  const faults = asked
    .filter(([, name]) => name !== undefined && !declared.has(name))
    .map(([at, name]) => `${at}: there is no parameter ${name}`);
  const hidden = [
    ['webhook.token', webhook?.token] as const,
    ...(webhook?.signingSecrets ?? []).map(
      name => ['webhook.signingSecrets', name] as const,
    ),
    ['buildToken', job.buildToken] as const,
  ];
  for (const [at, name] of hidden) {
    if (name !== undefined && !secrets.has(name)) {
      faults.push(`${at}: buildServer.secrets has no ${name}`);
    }
  }
  if (
    deployment &&
    (deployment.environment === undefined) ===
      (deployment.environmentFrom === undefined)
  ) {
    faults.push(
      'deployment must have environment or environmentFrom, one of the two',
    );
  }
  return faults;
}

function signatureFaults(
  { name, webhook }: Job,
  { isProduction }: JobRules,
): string[] {
  const isSigned = webhook?.signingSecrets !== undefined;
  if (isSigned && webhook.unsigned) {
    return ['webhook.unsigned: webhooks with signingSecrets are signed'];
  }
  return webhook && !isSigned && !webhook.unsigned && isProduction
    ? [
        `webhook.signingSecrets is required in production, because otherwise anyone who sees the address of a webhook can trigger the job ${name}. To accept the token alone, set webhook.unsigned to allow`,
      ]
    : [];
}

function isBoolean(value: string): boolean {
  return value === 'true' || value === 'false';
}
