import type { Build, BuildResult } from '../builds/Build.ts';
import type { Job } from '../jobs/Job.ts';
import { repositoryName } from '../jobs/repository.ts';

/**
 * A CloudEvent in its JSON form that carries a CDEvent.
 *
 * https://github.com/cdevents/spec/blob/v0.4.1/continuous-deployment.md
 */
export interface CdEvent {
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

/** CDEvents' words for how a run ended. */
const OUTCOMES: Readonly<Record<BuildResult, string>> = {
  SUCCESS: 'success',
  UNSTABLE: 'success',
  FAILURE: 'failure',
  // Known to the lake beside the standard's own.
  ABORTED: 'cancel',
};

interface Context {
  /** The address of this server, which is the source of all its events. */
  source: string;
  /** Page of the build. */
  url: string;
}

/**
 * What a build that ended tells: that its run has, and that its job's deployment is
 * there where it succeeded. Ids follow from the build, so that one sent twice is one.
 */
export function cdEventsOf(
  build: Build & { finishedAt: number },
  options: Context & { job: Job },
): CdEvent[] {
  const { job } = options;
  const subject = `${build.job}#${build.number}`;
  const deployment = deploymentOf(build, job);
  const own = {
    ...deployment?.customData,
    deploymentId: subject,
    startedAt: timeOf(build.startedAt ?? build.queuedAt),
    triggeredBy: build.triggeredBy ?? undefined,
    url: options.url,
  };
  const outcome = OUTCOMES[build.result ?? 'ABORTED'];
  const run = event('pipelinerun.finished.0.2.0', {
    ...options,
    build,
    subject,
    content: { pipelineName: build.job, outcome, url: options.url },
    customData: own,
  });
  if (!deployment || outcome !== 'success') {
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
      customData: own,
    }),
  ];
}

function deploymentOf(build: Build, job: Job) {
  const { deployment } = job;
  if (!deployment) {
    return undefined;
  }
  const { service, environmentFrom, versionFrom } = deployment;
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
    service,
    environment,
    customData: {
      service,
      environment,
      repository,
      sha,
      version:
        (versionFrom && build.parameters[versionFrom]) ||
        sha?.slice(0, 12) ||
        String(build.number),
    },
  };
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
  const timestamp = timeOf(build.finishedAt);
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

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
