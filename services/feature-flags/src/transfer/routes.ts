import {
  actorOf,
  InvalidRequestError,
  preconditionOf,
  type ServiceApp,
} from '@slipway/service-kit';
import type { Flag } from '../model/Flag.ts';
import type { Environments, Projects } from '../registers/registers.ts';
import type { FlagAccess } from '../tokens/access.ts';
import {
  Exported,
  ExportQuery,
  ImportBody,
  ImportQuery,
  StateExportQuery,
  TaggedReport,
  TRANSFER_BODY_LIMIT,
} from './schemas.ts';
import { reportTag } from './ImportReport.ts';
import type { ImportOutcome, ImportSource, Transfers } from './Transfers.ts';
import { readUnleashExport } from './unleash/readExport.ts';
import type { Target } from './unleash/readStates.ts';
import {
  type Exported as UnleashData,
  UnleashExport,
} from './unleash/schemas.ts';
import { writeEnvironment, writeState } from './unleash/writeExport.ts';

const tags = ['transfer'];

/**
 * Adds the routes that import flags from Unleash and export them to it: those that Unleash has
 * today, `/api/admin/features-batch/{export,validate,import}`, and those that it had before version
 * 6, `/api/admin/state/{export,import}`.
 */
export function transferRoutes(
  app: ServiceApp,
  options: {
    transfers: Transfers;
    environments: Environments;
    projects: Projects;
    access: FlagAccess;
  },
): void {
  const { transfers, environments, projects, access } = options;
  const config = { access: access.write };
  const bodyLimit = TRANSFER_BODY_LIMIT;
  const write = {
    config: { ...config, faults: ['preconditionFailed'] },
    bodyLimit,
  } as const;

  app.post(
    '/api/admin/features-batch/validate',
    {
      config,
      bodyLimit,
      schema: {
        tags,
        summary: 'Report what importing an export from Unleash would do',
        body: ImportBody,
        response: { 200: TaggedReport },
      },
    },
    async ({ body: { data, ...target } }) =>
      present(await transfers.validate(sourceOf(data, target))),
  );

  app.post(
    '/api/admin/features-batch/import',
    {
      ...write,
      schema: {
        tags,
        summary: 'Import an export from Unleash, all or nothing',
        headers: preconditionOf('report'),
        body: ImportBody,
        response: { 200: TaggedReport },
      },
    },
    async ({ body: { data, ...target }, caller, headers }) =>
      present(
        await transfers.import(sourceOf(data, target), actorOf(caller), {
          ifMatch: headers['if-match'],
        }),
      ),
  );

  app.post(
    '/api/admin/state/import',
    {
      ...write,
      schema: {
        tags,
        summary:
          'Import an export of Unleash that is the body itself, all or nothing',
        querystring: ImportQuery,
        headers: preconditionOf('report'),
        body: UnleashExport,
        response: { 200: TaggedReport },
      },
    },
    async ({ body, query: { dryRun, ...target }, caller, headers }) => {
      const source = sourceOf(body, target);
      return present(
        dryRun
          ? await transfers.validate(source)
          : await transfers.import(source, actorOf(caller), {
              ifMatch: headers['if-match'],
            }),
      );
    },
  );

  app.post(
    '/api/admin/features-batch/export',
    {
      config: { access: access.read },
      schema: {
        tags,
        summary:
          'Export flags in one environment as Unleash does, without the constraints of segments',
        body: ExportQuery,
        response: { 200: Exported },
      },
    },
    async ({ body }, reply) => {
      const { name } = await environments.get(body.environment);
      const isAsked = filterOf(body);
      const inventory = await transfers.inventory();
      if (body.downloadFile) {
        reply.header(
          'content-disposition',
          `attachment; filename="flags-${name}.json"`,
        );
      }
      return writeEnvironment(
        inventory.flags.filter(
          flag => flag.archivedAt === null && isAsked(flag),
        ),
        name,
        inventory,
      );
    },
  );

  app.get(
    '/api/admin/state/export',
    {
      config: { access: access.read },
      schema: {
        tags,
        summary:
          'Export flags in all environments, with segments, as Unleash did before version 6',
        querystring: StateExportQuery,
        response: { 200: Exported },
      },
    },
    async ({ query }) => {
      const { project, environment } = query;
      if (environment !== undefined) {
        await environments.get(environment);
      }
      if (project !== undefined) {
        await projects.get(project);
      }
      return writeState(await transfers.inventory(), { project, environment });
    },
  );
}

function sourceOf(data: UnleashData, target: Target): ImportSource {
  return {
    read: findings => readUnleashExport(data, target, findings),
    mode: { isTrusted: true, updatesSegments: false, proposes: false },
  };
}

function filterOf(query: {
  features?: string[];
  project?: string;
  tag?: string;
}): (flag: Flag) => boolean {
  const { features, project, tag } = query;
  const given = [features, project, tag].filter(each => each !== undefined);
  if (given.length !== 1) {
    throw new InvalidRequestError(
      'Exactly one of features, project and tag is required',
      { field: 'features', constraint: 'required' },
    );
  }
  if (features) {
    const names = new Set(features);
    return ({ name }) => names.has(name);
  }
  if (project !== undefined) {
    return flag => flag.project === project;
  }
  return flag =>
    flag.tags.some(
      ({ type, value }) => value === tag || `${type}:${value}` === tag,
    );
}

function present({ report }: ImportOutcome) {
  return { ...report, etag: reportTag(report), permissions: [] };
}
