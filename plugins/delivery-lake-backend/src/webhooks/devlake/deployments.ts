import { DeploymentStatus } from '@slipway/plugin-delivery-lake-common';
import { z } from 'zod';
import { DeploymentEvent } from '../../events/LakeEvent';
import { MappedDelivery, meaning } from '../MappedDelivery';
import { readPayload } from '../payload/readPayload';
import { repositoryName } from '../payload/repositoryName';
import { key, optionalText, shortened } from '../payload/text';
import { timestamp } from '../payload/timestamp';

const commitSchema = z.object({
  repoUrl: z.string().trim().min(1),
  commitSha: z.string().trim().min(1),
  commitMsg: optionalText,
  refName: optionalText,
  result: optionalText,
  startedDate: timestamp,
  finishedDate: timestamp,
});

const schema = z.object({
  id: key,
  result: optionalText,
  environment: z
    .enum(['', 'PRODUCTION', 'STAGING', 'TESTING', 'DEVELOPMENT'])
    .nullish(),
  displayTitle: optionalText,
  startedDate: timestamp,
  finishedDate: timestamp,
  deploymentCommits: z
    .array(commitSchema)
    .min(1, 'names no commit: one is required'),
});

type Commit = z.output<typeof commitSchema>;

/** DevLake takes any word and counts SUCCESS alone. */
function statusOf(result: string | undefined): DeploymentStatus {
  const word = (result ?? 'SUCCESS').toLocaleUpperCase('en-US');
  if (word === 'SUCCESS') {
    return 'SUCCESS';
  }
  return /^(ABORT|CANCEL)/.test(word) ? 'CANCELLED' : 'FAILURE';
}

/** A deployment may name several commits of one repository; what stands in the end is the last to finish. */
function lastPerRepository(commits: Commit[]): Map<string, Commit> {
  const last = new Map<string, Commit>();
  for (const commit of commits) {
    const repository = repositoryName(commit.repoUrl) ?? commit.repoUrl;
    const other = last.get(repository);
    if (!other || other.finishedDate <= commit.finishedDate) {
      last.set(repository, commit);
    }
  }
  return last;
}

/**
 * DevLake's deployment body: a deployment per repository, which is what it deploys.
 * https://devlake.apache.org/docs/Plugins/webhook/#register-deployments
 *
 * @throws PayloadError naming the field at fault.
 */
export function mapDeployments(delivery: {
  source: string;
  body: unknown;
}): MappedDelivery {
  const { source, body } = delivery;
  const deployment = readPayload(schema, body);
  const commits = lastPerRepository(deployment.deploymentCommits);
  return meaning(
    ...[...commits].map(
      ([repository, commit]): DeploymentEvent => ({
        kind: 'deployment',
        source,
        externalId: `${deployment.id}:${repository}`,
        occurredAt: commit.finishedDate,
        service: repository,
        environment: deployment.environment || 'PRODUCTION',
        status: statusOf(commit.result ?? deployment.result),
        startedAt: commit.startedDate,
        finishedAt: commit.finishedDate,
        version: commit.refName ?? deployment.displayTitle,
        repository,
        commit: {
          sha: commit.commitSha,
          message: commit.commitMsg && shortened(commit.commitMsg),
        },
      }),
    ),
  );
}
