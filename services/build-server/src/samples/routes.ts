import {
  type Access,
  InvalidRequestError,
  type ServiceApp,
} from '@slipway/service-kit';
import { type Static, Type } from 'typebox';
import type { BuildStep } from '../builds/Build.ts';
import { JobSchema } from '../jobs/Job.ts';
import type { SampleStore } from '../storage/SampleStore.ts';
import type { Samples } from './Samples.ts';

const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const Moment = Type.String({ format: 'date-time', maxLength: 64 });

const SampleJobBody = Type.Object({
  name: JobSchema.properties.name,
  owner: Type.String({
    pattern: '^group:[^/]{1,63}/[^/]{1,63}$',
    patternDescription: 'must be a group, e.g. group:default/payments',
  }),
  service: Text(200),
  repository: Text(255),
});

const PastBuildBody = Type.Object({
  job: Text(100),
  number: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  triggered_by: Text(255),
  started_at: Moment,
  finished_at: Moment,
  branch: Type.String({ minLength: 1, maxLength: 200, default: 'main' }),
  failed_step: Type.Optional(Text(100)),
  message: Type.Optional(Text(1_000)),
  log: Type.Optional(Type.String({ maxLength: 10_000 })),
  commits: Type.Array(
    Type.Object({ id: Text(64), message: Text(1_000), author: Text(255) }),
    { maxItems: 100, default: [] },
  ),
});

const SamplesBody = Type.Object({
  jobs: Type.Array(SampleJobBody, { maxItems: 200, default: [] }),
  builds: Type.Array(PastBuildBody, { maxItems: 1_000, default: [] }),
});
const AddedAnswer = Type.Object({
  jobs: Type.Integer(),
  builds: Type.Integer(),
});
const RemovedAnswer = Type.Object({ jobs: Type.Integer() });

/**
 * Registers the routes by which admins add sample jobs with past builds, and remove all of them,
 * for demonstrations. Sample jobs can be run, with steps defined by the server.
 */
export function sampleRoutes(
  app: ServiceApp,
  options: { access: Access; samples: Samples; store: SampleStore },
): void {
  const { access, samples, store } = options;
  const config = { access, faults: ['conflict'] } as const;
  const tags = ['samples'];

  app.post(
    '/api/samples',
    {
      config,
      schema: {
        tags,
        summary: 'Add sample jobs and past builds',
        body: SamplesBody,
        response: { 201: AddedAnswer },
      },
    },
    async ({ body }, reply) => {
      await samples.addJobs(body.jobs);
      const known = new Map(
        (await store.list()).map(job => [job.name, job] as const),
      );
      const builds = body.builds.map((build, index) => {
        const job = known.get(build.job);
        if (!job) {
          throw new InvalidRequestError(
            `builds.${index}.job must be a sample job`,
            { field: `builds.${index}.job`, constraint: 'enum' },
          );
        }
        return { past: toPast(build, job.repository), log: toLog(build) };
      });
      const added = await samples.addBuilds(builds);
      reply.code(201);
      return { jobs: body.jobs.length, builds: added };
    },
  );

  app.delete(
    '/api/samples',
    {
      config,
      schema: {
        tags,
        summary: 'Remove all sample jobs with their builds and logs',
        response: { 200: RemovedAnswer },
      },
    },
    async () => ({ jobs: await samples.remove() }),
  );
}

const STEPS = ['Check out', 'Test', 'Package', 'Deploy'];

/** Returns the names of the steps that ran. */
function stepsOf({ failed_step: failed }: Static<typeof PastBuildBody>) {
  return failed === undefined
    ? STEPS
    : STEPS.slice(0, STEPS.indexOf(failed) + 1);
}

/** Returns the log with the headings of its steps; the text belongs to the last step. */
function toLog(build: Static<typeof PastBuildBody>): string | undefined {
  return build.log === undefined
    ? undefined
    : [...stepsOf(build).map(name => `==> ${name}`), build.log].join('\n');
}

function toPast(build: Static<typeof PastBuildBody>, repository: string) {
  const startedAt = Date.parse(build.started_at);
  const finishedAt = Math.max(startedAt, Date.parse(build.finished_at));
  const { failed_step: failedStep, commits, branch } = build;
  const ranUntil = stepsOf(build).length;
  const each = (finishedAt - startedAt) / Math.max(1, ranUntil);
  return {
    job: build.job,
    number: build.number,
    result:
      failedStep === undefined ? ('SUCCESS' as const) : ('FAILURE' as const),
    cause: `Push to ${branch}`,
    triggeredBy: build.triggered_by,
    parameters: { BRANCH: branch },
    source: {
      repository,
      ref: `refs/heads/${branch}`,
      commits,
      ...(commits.length > 0 && { after: commits[commits.length - 1].id }),
    },
    steps: STEPS.map((name, index): BuildStep => {
      const hasRun = index < ranUntil;
      const isFailed = name === failedStep;
      const ranState = hasRun ? 'done' : 'skipped';
      return {
        name,
        state: isFailed ? 'failed' : ranState,
        startedAt: hasRun ? Math.round(startedAt + index * each) : null,
        finishedAt: hasRun ? Math.round(startedAt + (index + 1) * each) : null,
        message: isFailed ? (build.message ?? null) : null,
      };
    }),
    startedAt,
    finishedAt,
  };
}
