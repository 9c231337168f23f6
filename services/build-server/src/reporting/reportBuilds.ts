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
  build: EndedBuild,
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

/** A build that has ended. */
type EndedBuild = Build & { finishedAt: number };

interface Context {
  /** The address of this server, the source of all its events. */
  source: string;
  /** Page of the build. */
  url: string;
}

/**
 * Returns the events of a finished build: its run has ended and, if it deployed, the service of its
 * job was deployed. Ids are derived from the build, so that duplicates are recognized.
 */
function cdEventsOf(
  build: EndedBuild,
  options: Context & { job: Job },
): CdEvent[] {
  const { job } = options;
  const subject = `${build.job}#${build.number}`;
  const deployment = deploymentOf(build, job);
  const outcome = OUTCOMES[build.result ?? 'ABORTED'];
  const isDone = deployment?.state === 'done';
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
      customData: {
        ...deployment.customData,
        ...own,
        startedAt: isoOf(deployment.startedAt),
      },
      at: deployment.finishedAt,
    }),
  ];
}

/** Returns what a build has deployed, or has failed to deploy; undefined if it did not try. */
function deploymentOf(build: EndedBuild, job: Job) {
  const { deployment } = job;
  const attempt = attemptOf(build, job);
  if (!deployment || !attempt) {
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
    ...attempt,
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

/** An attempt to deploy. Times are milliseconds since the Unix epoch. */
interface Attempt {
  state: 'done' | 'failed';
  startedAt: number;
  finishedAt: number;
}

/**
 * Returns the attempt of a build to deploy; undefined if it did not try. If the job names the step
 * that deploys, only this step counts: what it deployed is in use from then on, even if a later step
 * fails. Builds of pull requests and of branches other than the job's never deploy, whatever their
 * steps are called.
 */
function attemptOf(build: EndedBuild, job: Job): Attempt | undefined {
  const { job: name, source, steps, result, finishedAt } = build;
  if (source?.pullRequest) {
    return undefined;
  }
  const isOfBranch = name.includes('/');
  if (isOfBranch && !mainRefsOf(job).includes(source?.ref ?? '')) {
    return undefined;
  }
  const startedAt = build.startedAt ?? build.queuedAt;
  const step = job.deployment?.step;
  if (step === undefined) {
    const isGood = OUTCOMES[result ?? 'ABORTED'] === 'success';
    return { state: isGood ? 'done' : 'failed', startedAt, finishedAt };
  }
  const ran = steps.filter(
    ({ name: own, startedAt: begun }) =>
      // With several pipelines, step names begin with the pipeline's.
      (own === step || own.endsWith(`: ${step}`)) && begun !== null,
  );
  const state = (['failed', 'done'] as const).find(one =>
    ran.some(each => each.state === one),
  );
  // The clock of an agent may be wrong.
  const within = (time: number | null) =>
    Math.min(Math.max(time ?? finishedAt, startedAt), finishedAt);
  return (
    state && {
      state,
      startedAt: Math.min(...ran.map(each => within(each.startedAt))),
      finishedAt: Math.max(...ran.map(each => within(each.finishedAt))),
    }
  );
}

function event(
  kind: string,
  options: Context & {
    build: EndedBuild;
    subject: string;
    content: object;
    customData: object;
    /** The time of the event, in milliseconds since the Unix epoch; by default the end of the build. */
    at?: number;
  },
): CdEvent {
  const { build, source, subject, content, customData } = options;
  const type = `dev.cdevents.${kind}`;
  const id = `${build.job}-${build.number}-${kind.split('.')[0]}`;
  const timestamp = isoOf(options.at ?? build.finishedAt);
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
