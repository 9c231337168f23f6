import {
  DEPLOYMENT_STATUSES,
  ENVIRONMENTS,
} from '@slipway/plugin-delivery-lake-common';
import { z } from 'zod';
import {
  limitSchema,
  optionalFlag,
  optionalText,
  periodShape,
  scopeShape,
} from '../scope/querySchemas';
import type { ScopeQuery } from '../scope/ScopeResolver';

const MAX_SERVICE_LENGTH = 512;

/** Query of `GET /deployment-history`. Unknown parameters are ignored. */
export const historyQuerySchema = z.object({
  service: z
    .string('must be given once')
    .trim()
    .min(1, 'must not be empty')
    .max(
      MAX_SERVICE_LENGTH,
      `must have at most ${MAX_SERVICE_LENGTH} characters`,
    )
    .regex(/^\P{Cc}*$/u, 'must not contain control characters'),
  environment: z
    .enum(ENVIRONMENTS, { error: `must be one of ${ENVIRONMENTS.join(', ')}` })
    .optional(),
  limit: limitSchema({ default: 20, max: 100 }),
});

const environment = optionalText.transform(name =>
  name?.toLocaleLowerCase('en-US'),
);

/** Query of `GET /deployments.csv`. */
export const deploymentExportSchema = z.object({
  ...scopeShape,
  ...periodShape,
  environment,
  status: z
    .enum(DEPLOYMENT_STATUSES, {
      error: `must be one of ${DEPLOYMENT_STATUSES.join(', ')}`,
    })
    .optional(),
  failed: optionalFlag,
  q: optionalText,
});

/** Query of `GET /incidents.csv`. */
export const incidentExportSchema = z.object({
  ...scopeShape,
  ...periodShape,
  environment,
  open: optionalFlag,
  q: optionalText,
});

/** Query of `GET /running`, with at least one scope. */
export const runningQuerySchema = z
  .object(scopeShape)
  .refine(({ project, team, service }) => project ?? team ?? service, {
    path: ['service'],
    error: 'must be given, or else project or team',
  });

const pageShape = {
  cursor: optionalText,
  limit: limitSchema({ default: 50, max: 200 }),
};

/** Query of `GET /deployments`. */
export const deploymentsQuerySchema = deploymentExportSchema.extend(pageShape);
/** Query of `GET /incidents`. */
export const incidentsQuerySchema = incidentExportSchema.extend(pageShape);

/** A condition that only the plugin itself sets, never a request. */
type OfComponents = Pick<ScopeQuery, 'components'>;

/** A parsed {@link historyQuerySchema}. */
export type HistoryQuery = z.output<typeof historyQuerySchema>;
/** A parsed {@link runningQuerySchema}. */
export type RunningQuery = z.output<typeof runningQuerySchema>;
/** A parsed {@link deploymentExportSchema}. */
export type DeploymentExport = z.output<typeof deploymentExportSchema> &
  OfComponents;
/** A parsed {@link deploymentsQuerySchema}. */
export type DeploymentsQuery = z.output<typeof deploymentsQuerySchema> &
  OfComponents;
/** A parsed {@link incidentExportSchema}. */
export type IncidentExport = z.output<typeof incidentExportSchema> &
  OfComponents;
/** A parsed {@link incidentsQuerySchema}. */
export type IncidentsQuery = z.output<typeof incidentsQuerySchema> &
  OfComponents;
