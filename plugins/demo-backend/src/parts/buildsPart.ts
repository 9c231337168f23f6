import type { ServiceHistory } from '../story/ServiceHistory';
import { iso } from '../story/time';
import { type DemoPart, inBatches } from './DemoPart';

const SERVICE = 'build-server';
const BATCH = 500;
/** The branch of the last failed builds of the story; rebuilding it really fails. */
const BROKEN_BRANCH = 'fix';

/** Runnable jobs of the demo's services, with builds of half a year. */
export const buildsPart: DemoPart = {
  id: 'build-server',
  title: 'Builds',
  writes: '80 sample jobs and their builds of 180 days, which can be run again',

  async load({ platform, story, onProgress }) {
    await platform.service(SERVICE, {
      method: 'POST',
      path: '/api/samples',
      body: {
        jobs: story.organisation.services.map(service => ({
          name: service.job,
          owner: service.team.ref,
          service: service.ref,
          repository: service.repository,
        })),
      },
    });
    await inBatches(story.histories.flatMap(buildsOf), BATCH, {
      send: builds =>
        platform.service(SERVICE, {
          method: 'POST',
          path: '/api/samples',
          body: { builds },
        }),
      onProgress,
    });
  },

  async remove({ platform, onProgress }) {
    await platform.service(SERVICE, {
      method: 'DELETE',
      path: '/api/samples',
    });
    onProgress(1, 1);
  },
};

/** Formats the builds of a service for the build server's import. */
function buildsOf({ service, builds }: ServiceHistory): object[] {
  const last = builds[builds.length - 1];
  return builds.map(build => ({
    job: service.job,
    number: build.number,
    triggered_by: build.by.ref,
    started_at: iso(build.startedAt),
    finished_at: iso(build.finishedAt),
    ...(build.failure &&
      !build.isDeployed &&
      build === last && { branch: BROKEN_BRANCH }),
    ...(build.failure && {
      failed_step: build.failure.step,
      message: build.failure.message,
      log: `${build.failure.log}\n`,
    }),
    commits: build.commits.map(({ sha, message, author }) => ({
      id: sha,
      message,
      author: author.displayName,
    })),
  }));
}
