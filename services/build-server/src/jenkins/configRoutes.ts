import { NotFoundError, type ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import type { Permissions } from '../access/Permissions.ts';
import type { Job } from '../jobs/Job.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import { presentParameter } from './presentJob.ts';
import { JobParams } from './schemas.ts';
import { toXmlFile } from './toXml.ts';

/** Some clients read no text from `application/xml`. */
const XML = 'text/xml; charset=utf-8';
const ViewParams = Type.Object({ view: Type.String({ maxLength: 100 }) });

/**
 * Registers the routes that describe jobs and the view of all jobs in the format of
 * Jenkins' `config.xml`. Both are described in files, and cannot be changed this way.
 */
export function configRoutes(
  app: ServiceApp,
  options: { permissions: Permissions; jobs: JobCatalog },
): void {
  const { permissions, jobs } = options;
  const config = { access: permissions.read };

  app.get(
    '/job/:job/config.xml',
    {
      config,
      schema: {
        tags: ['jobs'],
        summary: "Read a job in the format of Jenkins' config.xml",
        params: JobParams,
      },
    },
    async ({ params }, reply) => {
      const job = jobs.get(params.job);
      const isDisabled = jobs.disabledReason(job.name) !== undefined;
      return reply
        .type(XML)
        .send(toXmlFile('project', projectOf(job, isDisabled)));
    },
  );

  app.get(
    '/view/:view/config.xml',
    {
      config,
      schema: {
        tags: ['jobs'],
        summary:
          "Read the view of all jobs in the format of Jenkins' config.xml",
        params: ViewParams,
      },
    },
    async ({ params: { view } }, reply) => {
      if (view !== 'all') {
        throw new NotFoundError(`View ${view} not found; the only view is all`);
      }
      return reply.type(XML).send(
        toXmlFile('hudson.model.AllView', {
          name: 'all',
          filterExecutors: false,
          filterQueue: false,
        }),
      );
    },
  );
}

function projectOf(job: Job, isDisabled: boolean): object {
  return {
    description: job.description ?? '',
    keepDependencies: false,
    properties: {
      ...(job.parameters && {
        'hudson.model.ParametersDefinitionProperty': {
          parameterDefinitions: job.parameters.map(parameter => {
            const { _class, name, description, defaultParameterValue } =
              presentParameter(parameter);
            return {
              [_class]: {
                name,
                description,
                defaultValue: defaultParameterValue?.value ?? '',
              },
            };
          }),
        },
      }),
    },
    disabled: isDisabled,
    concurrentBuild: job.concurrent ?? false,
    builders: {
      'hudson.tasks.Shell': job.steps.flatMap(({ run }) =>
        run === undefined ? [] : [{ command: run }],
      ),
    },
  };
}
