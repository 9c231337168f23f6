import { InvalidRequestError } from '@slipway/service-kit';
import type { Build, BuildSource, TriggerKind } from '../builds/Build.ts';
import type { Worker } from '../execution/Worker.ts';
import type { Job, JobParameter } from '../jobs/Job.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { BuildStore } from '../storage/BuildStore.ts';

/** What somebody wants to be built. */
export interface TriggerRequest {
  job: Job;
  /** The values of each parameter by its name, as they were sent. */
  parameters: ReadonlyMap<string, readonly string[]>;
  /** A sentence: who or what triggers. */
  cause: string;
  /** `user` when left out. */
  kind?: TriggerKind;
  triggeredBy?: string;
  source?: BuildSource;
  /** What the sender calls this trigger: sent again, it is the same build. */
  delivery?: string;
  /** Milliseconds to wait; the quiet period of the job when left out. */
  delayMs?: number;
}

/** Takes triggers in: once it answers, the build is on disk and has its number. */
export class BuildTriggers {
  readonly #options: {
    store: Pick<BuildStore, 'enqueue' | 'listUnfinishedBefore'>;
    jobs: Pick<JobCatalog, 'assertEnabled'>;
    /** Hears that there is work. */
    worker: Pick<Worker, 'wake' | 'stopBuild'>;
    now: () => number;
  };

  constructor(options: {
    store: Pick<BuildStore, 'enqueue' | 'listUnfinishedBefore'>;
    jobs: Pick<JobCatalog, 'assertEnabled'>;
    worker: Pick<Worker, 'wake' | 'stopBuild'>;
    now: () => number;
  }) {
    this.#options = options;
  }

  /**
   * @throws InvalidRequestError naming the parameter at fault.
   * @throws ConflictError for a job whose file has faults.
   */
  async trigger(request: TriggerRequest): Promise<Build> {
    const { store, jobs, worker, now } = this.#options;
    const { job, delayMs } = request;
    jobs.assertEnabled(job.name);
    const parameters = readParameters(job, request.parameters);
    const quietMs = (job.quietPeriodSeconds ?? 0) * 1_000;
    const queuedAt = now();
    const { build, isNew } = await store.enqueue({
      job: job.name,
      cause: request.cause,
      kind: request.kind ?? 'user',
      group: job.concurrency?.group ?? null,
      triggeredBy: request.triggeredBy ?? null,
      parameters,
      source: request.source ?? null,
      delivery: request.delivery ?? null,
      queuedAt,
      dueAt: queuedAt + (delayMs ?? quietMs),
      joinsWaiting: delayMs === undefined && quietMs > 0,
    });
    if (isNew) {
      if (job.concurrency?.cancelRunning) {
        await this.#supersede(build);
      }
      worker.wake();
    }
    return build;
  }

  /** Ends the builds before one: nobody waits for them any more. */
  async #supersede({ job, number }: Build): Promise<void> {
    const { store, worker } = this.#options;
    for (const id of await store.listUnfinishedBefore(job, number)) {
      await worker.stopBuild(id, `build #${number}, which is newer`);
    }
  }
}

/** A Linux process takes no longer value in its environment. */
const MAX_BYTES = 100_000;

/**
 * The values of a job's parameters. What the job does not declare is dropped, so that
 * nobody sets other variables of a build.
 *
 * @param given - by name; a name that is sent twice is a fault.
 * @throws InvalidRequestError naming the parameter at fault.
 */
export function readParameters(
  job: Job,
  given: ReadonlyMap<string, readonly string[]>,
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const parameter of job.parameters ?? []) {
    const [value, ...more] = given.get(parameter.name) ?? [];
    if (more.length > 0) {
      throw fault(parameter, 'unique', 'is given more than once');
    }
    const read = readValue(parameter, value);
    if (read !== undefined) {
      values[parameter.name] = read;
    }
  }
  return values;
}

function readValue(
  parameter: JobParameter,
  given: string | undefined,
): string | undefined {
  const { type, choices, required } = parameter;
  const value = isGiven(parameter, given)
    ? given
    : (parameter.default ?? choices?.[0]);
  if (value === undefined) {
    if (required) {
      throw fault(parameter, 'required', 'is required');
    }
    return undefined;
  }
  if (type === 'boolean' && value !== 'true' && value !== 'false') {
    throw fault(parameter, 'type', 'must be true or false');
  }
  if (choices && !choices.includes(value)) {
    throw fault(parameter, 'enum', `must be one of ${choices.join(', ')}`);
  }
  if (Buffer.byteLength(value) > MAX_BYTES) {
    throw fault(parameter, 'maxLength', `must have at most ${MAX_BYTES} bytes`);
  }
  return value;
}

/** An empty field of a form says nothing where nothing cannot be a value. */
function isGiven(
  { type, choices, required }: JobParameter,
  given: string | undefined,
): boolean {
  const takesEmpty = choices?.includes('') ?? type !== 'boolean';
  return given !== undefined && (given !== '' || (takesEmpty && !required));
}

function fault(
  { name }: JobParameter,
  constraint: string,
  what: string,
): InvalidRequestError {
  return new InvalidRequestError(`Parameter ${name} ${what}`, {
    field: name,
    constraint,
  });
}
