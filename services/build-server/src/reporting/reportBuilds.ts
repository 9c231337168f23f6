import { isoOf } from '@slipway/entity-contract';
import {
  type Build,
  type BuildResult,
  isStarted,
  pageOf,
} from '../builds/Build.ts';
import type { Kit } from '../config.ts';
import { type Job, mainRefsOf } from '../jobs/Job.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import { repositoryName } from '../jobs/repository.ts';
import type { TellBuild } from './news.ts';

const CDEVENT = 'build.cdevent';
const ACTIVITY = 'build.activity';

/**
 * Reports finished builds to the rest of the platform, at least once: the messages are
 * stored in the transaction that ends the build.
 *
 * @returns a function to call in that transaction.
 */
export function reportBuilds(
  kit: Kit,
  { jobs }: { jobs: JobCatalog },
): TellBuild {
  const { config, outbox, portal } = kit;
  const { portalToken, spaceMetrics } = config;
  const source =
    config.publicUrl ?? `http://${config.listen.host}:${config.listen.port}`;
  if (portalToken !== undefined) {
    outbox.endpoints.add({
      id: 'delivery-lake',
      kind: 'Part of the platform',
      url: `${portal.baseUrl}/api/delivery-lake/events`,
      events: [CDEVENT],
      headers: {
        Authorization: `Bearer ${portalToken}`,
        'Content-Type': 'application/cloudevents+json',
      },
    });
  }
  if (spaceMetrics) {
    outbox.endpoints.add({
      id: 'space-metrics',
      kind: 'Part of the platform',
      url: `${spaceMetrics.baseUrl}/api/v1/activity/events`,
      events: [ACTIVITY],
      headers: { 'X-API-Key': spaceMetrics.apiKey },
    });
  }
  return async (trx, build) => {
    const job = jobs.findOfBuild(build.job);
    const { finishedAt } = build;
    if (!job || !isStarted(build) || finishedAt === null) {
      return;
    }
    const ended = { ...build, finishedAt };
    const url = portal.appUrl + pageOf(build);
    for (const payload of cdEventsOf(ended, { job, source, url })) {
      await outbox.enqueue(trx, { name: CDEVENT, payload });
    }
    await outbox.enqueue(trx, {
      name: ACTIVITY,
      payload: activityOf(ended, { job, source }),
    });
  };
}

/** Converts a build to an activity event of the SPACE metrics: `POST /api/v1/activity/events`. */
function activityOf(
  build: Build & { finishedAt: number },
  options: { job: Job; source: string },
): object {
  const { job, source } = options;
  return {
    source: source.slice(0, 128),
    events: [
      {
        id: `${build.job}#${build.number}`,
        kind: 'build',
        result: build.result,
        timestamp: isoOf(build.finishedAt),
        ...(job.owner !== undefined && { team: job.owner }),
      },
    ],
  };
}

/**
 * A CloudEvent in JSON format that contains a CDEvent.
 * https://github.com/cdevents/spec/blob/v0.4.1/continuous-deployment.md
 */
interface CdEvent {
  specversion: '1.0';
  id: string;
  source: string;
  type: string;
  subject: string;
  /** ISO 8601, in UTC. */
  time: string;
  datacontenttype: 'application/json';
  data: object;
}

/** The outcomes of a run in CDEvents' terms. */
const OUTCOMES: Readonly<Record<BuildResult, string>> = {
  SUCCESS: 'success',
  UNSTABLE: 'success',
  FAILURE: 'failure',
  // Supported by the lake in addition to the standard's outcomes.
  ABORTED: 'cancel',
};

interface Context {
  /** The address of this server, the source of all its events. */
  source: string;
  /** Page of the build. */
  url: string;
}

/**
 * Returns the events of a finished build: its run has ended and, if it deployed the service of its
 * job, that was deployed. Ids are derived from the build, so that duplicates are recognized.
 */
function cdEventsOf(
  build: Build & { finishedAt: number },
  options: Context & { job: Job },
): CdEvent[] {
  const { job } = options;
  const subject = `${build.job}#${build.number}`;
  const deployment = deploymentOf(build, job);
  const outcome = OUTCOMES[build.result ?? 'ABORTED'];
  const isDone = deployment?.result === 'done';
  const own = {
    deploymentId: subject,
    startedAt: isoOf(build.startedAt ?? build.queuedAt),
    triggeredBy: build.triggeredBy ?? undefined,
    url: options.url,
  };
  const run = event('pipelinerun.finished.0.2.0', {
    ...options,
    build,
    subject,
    content: { pipelineName: build.job, outcome, url: options.url },
    customData: {
      // A step after the deployment failed: the run does not count as a failed deployment.
      ...(!(isDone && outcome !== 'success') && deployment?.customData),
      ...own,
    },
  });
  if (!isDone) {
    return [run];
  }
  return [
    run,
    event('service.deployed.0.2.0', {
      ...options,
      build,
      subject: deployment.service,
      content: {
        environment: { id: deployment.environment },
        artifactId: `pkg:generic/${encodeURIComponent(
          deployment.service,
        )}@${encodeURIComponent(deployment.customData.version)}`,
      },
      customData: { ...deployment.customData, ...own },
    }),
  ];
}

/** Returns what a build has deployed, or has failed to deploy; undefined if it did not try. */
function deploymentOf(build: Build, job: Job) {
  const { deployment } = job;
  const result = resultOf(build, job);
  if (!deployment || !result) {
    return undefined;
  }
  const { service, environmentFrom, versionFrom, version } = deployment;
  const environment =
    (environmentFrom && build.parameters[environmentFrom]) ||
    deployment.environment;
  if (!environment) {
    return undefined;
  }
  const sha = build.source?.after;
  const repository =
    build.source?.repository ??
    (job.source && repositoryName(job.source.repository));
  return {
    result,
    service,
    environment,
    customData: {
      service,
      environment,
      repository,
      sha,
      version:
        (versionFrom && build.parameters[versionFrom]) ||
        version?.replaceAll('{number}', String(build.number)) ||
        sha?.slice(0, 12) ||
        String(build.number),
    },
  };
}

/**
 * Returns the result of the deployment by a build; undefined if it did not deploy. If the job names
 * the step that deploys, only that counts: what it deployed is in use even if a later step fails.
 * Builds of pull requests and of branches other than the job's never deploy, whatever their steps
 * are called.
 */
function resultOf(
  { job: name, source, steps, result }: Build,
  job: Job,
): 'done' | 'failed' | undefined {
  if (source?.pullRequest) {
    return undefined;
  }
  const isOfBranch = name.includes('/');
  if (isOfBranch && !mainRefsOf(job).includes(source?.ref ?? '')) {
    return undefined;
  }
  const step = job.deployment?.step;
  if (step === undefined) {
    return OUTCOMES[result ?? 'ABORTED'] === 'success' ? 'done' : 'failed';
  }
  const states = steps
    .filter(
      ({ name: own, startedAt }) =>
        // With several pipelines, step names begin with the pipeline's.
        (own === step || own.endsWith(`: ${step}`)) && startedAt !== null,
    )
    .map(({ state }) => state);
  return (['failed', 'done'] as const).find(state => states.includes(state));
}

function event(
  kind: string,
  options: Context & {
    build: Build & { finishedAt: number };
    subject: string;
    content: object;
    customData: object;
  },
): CdEvent {
  const { build, source, subject, content, customData } = options;
  const type = `dev.cdevents.${kind}`;
  const id = `${build.job}-${build.number}-${kind.split('.')[0]}`;
  const timestamp = isoOf(build.finishedAt);
  return {
    specversion: '1.0',
    id,
    source,
    type,
    subject,
    time: timestamp,
    datacontenttype: 'application/json',
    data: {
      context: { version: '0.4.1', id, source, type, timestamp },
      subject: { id: subject, source, content },
      customData,
      customDataContentType: 'application/json',
    },
  };
}
