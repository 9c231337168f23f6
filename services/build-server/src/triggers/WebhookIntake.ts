import { isSameSecret } from '@slipway/platform-guards';
import {
  InvalidRequestError,
  UnauthenticatedError,
} from '@slipway/service-kit';
import type { Build, BuildSource } from '../builds/Build.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { Branches } from './Branches.ts';
import type { BuildTriggers } from './BuildTriggers.ts';
import { type Payload, textOf } from './eventReading.ts';
import {
  authorOf,
  type Delivery,
  ignoredFor,
  isSignedBy,
  parsePayload,
  sourcesFor,
  type WebhookJob,
} from './readDelivery.ts';
import { type SkippedPushes, skippedReason } from './SkippedPushes.ts';

/** Time for reading the messages of all commits of a delivery; forges give up after 10 s. */
const MAX_READ_MS = 5_000;

/**
 * The result of a webhook for one job: a build, or why there is none. Several if it
 * contains several refs.
 */
export type Triggered =
  { job: string; build: Build } | { job: string; reason: string };

/** Triggers the jobs that have the token of a webhook. */
export class WebhookIntake {
  readonly #catalog: JobCatalog;
  readonly #secrets: ReadonlyMap<string, string>;
  readonly #triggers: BuildTriggers;
  readonly #branches: Branches;
  readonly #skips: Pick<SkippedPushes, 'decide'>;

  constructor(options: {
    jobs: JobCatalog;
    /** Values, by name. */
    secrets: ReadonlyMap<string, string>;
    triggers: BuildTriggers;
    branches: Branches;
    skips: Pick<SkippedPushes, 'decide'>;
  }) {
    this.#catalog = options.jobs;
    this.#secrets = options.secrets;
    this.#triggers = options.triggers;
    this.#branches = options.branches;
    this.#skips = options.skips;
  }

  /**
   * @throws UnauthenticatedError for an unknown token, and for a missing or invalid
   * signature that a job requires.
   * @throws InvalidRequestError if the body is not a JSON object or not declared as such,
   * or if no job has all its required parameters.
   */
  async take(delivery: Delivery): Promise<Triggered[]> {
    const jobs = this.#jobsOf(delivery.token);
    jobs.forEach(job => this.#verify(job, delivery));
    const payload = parsePayload(delivery);
    const outcomes: Triggered[] = [];
    let lacking: unknown;
    const readUntil = performance.now() + MAX_READ_MS;
    for (const job of jobs) {
      try {
        outcomes.push(
          ...(await this.#trigger(job, { delivery, payload, readUntil })),
        );
      } catch (error) {
        if (!(error instanceof InvalidRequestError)) {
          throw error;
        }
        lacking = error;
        outcomes.push({ job: job.name, reason: error.message });
      }
    }
    if (lacking !== undefined && outcomes.every(one => 'reason' in one)) {
      throw lacking;
    }
    return outcomes;
  }

  /** Checks whether any job has a token. */
  isKnown(token: string): boolean {
    return this.#findJobs(token).length > 0;
  }

  /** @throws UnauthenticatedError if no job has the token. */
  assertKnown(token: string): void {
    this.#jobsOf(token);
  }

  #jobsOf(token: string): WebhookJob[] {
    const jobs = this.#findJobs(token);
    if (jobs.length === 0) {
      throw new UnauthenticatedError('The token is not valid');
    }
    return jobs;
  }

  #findJobs(token: string): WebhookJob[] {
    return this.#catalog
      .all()
      .filter((job): job is WebhookJob => job.webhook !== undefined)
      .filter(({ webhook }) =>
        isSameSecret(token, this.#secrets.get(webhook.token)!),
      );
  }

  #verify({ webhook }: WebhookJob, delivery: Delivery): void {
    const secrets = webhook.signingSecrets?.map(name =>
      this.#secrets.get(name)!,
    );
    if (secrets && !isSignedBy(secrets, delivery)) {
      throw new UnauthenticatedError('The signature is missing or not valid');
    }
  }

  async #trigger(
    job: WebhookJob,
    {
      delivery,
      payload,
      readUntil,
    }: { delivery: Delivery; payload: Payload; readUntil: number },
  ): Promise<Triggered[]> {
    const disabled = this.#catalog.disabledReason(job.name);
    if (disabled !== undefined) {
      return [{ job: job.name, reason: `The job ${disabled}` }];
    }
    const found = sourcesFor(job, delivery, payload);
    for (const gone of found.gone ?? []) {
      await this.#branches.close(job, gone);
    }
    if ('reason' in found) {
      return [{ job: job.name, reason: found.reason }];
    }
    const outcomes: Triggered[] = [];
    for (const [index, event] of found.sources.entries()) {
      const { source, author } = event;
      const reason = ignoredFor(job, source);
      if (reason !== undefined) {
        outcomes.push({ job: job.name, reason });
        continue;
      }
      const target = await this.#branches.open(job, source);
      if ('reason' in target) {
        outcomes.push({ job: job.name, reason: target.reason });
        continue;
      }
      const decision = await this.#skips.decide(event, {
        ...{ parent: job, job: target.name },
        withinMs: Math.max(Math.ceil(readUntil - performance.now()), 0),
      });
      if (decision === 'skip') {
        outcomes.push({ job: job.name, reason: skippedReason(source) });
        continue;
      }
      const build = await this.#triggers.trigger({
        job: target,
        parameters: parametersOf(job, payload),
        source,
        cause: causeOf(source, delivery.event),
        kind: 'webhook',
        triggeredBy: authorOf(source, author),
        delivery: deliveryOf(delivery, index),
      });
      outcomes.push({ job: job.name, build });
    }
    return outcomes;
  }
}

function parametersOf(
  job: WebhookJob,
  payload: Payload,
): Map<string, string[]> {
  const parameters = new Map<string, string[]>();
  for (const { name, payload: at } of job.parameters ?? []) {
    const value = at === undefined ? undefined : valueAt(payload, at);
    if (value !== undefined) {
      parameters.set(name, [value]);
    }
  }
  return parameters;
}

/** Returns the id of one build of a delivery. Several refs give several builds, each with its own id. */
function deliveryOf({ id }: Delivery, index: number): string | undefined {
  return id === undefined
    ? undefined
    : `webhook:${id}${index === 0 ? '' : `#${index}`}`;
}

function causeOf({ repository, ref }: BuildSource, event = 'webhook'): string {
  const what = [repository, ref].filter(Boolean).join(' ');
  return `Triggered by ${event}${what ? ` of ${what}` : ''}`;
}

/** Returns the value at a dotted path, as text; undefined if there is none. */
function valueAt(payload: Payload, dotted: string): string | undefined {
  let value: unknown = payload;
  for (const name of dotted.split('.')) {
    if (
      typeof value !== 'object' ||
      value === null ||
      !Object.hasOwn(value, name)
    ) {
      return undefined;
    }
    value = (value as Record<string, unknown>)[name];
  }
  return typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : textOf(value);
}
