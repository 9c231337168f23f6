import { WORKSPACE_STATUSES } from '@slipway/plugin-ide-launcher-common';
import { z } from 'zod';
import { GIT_REVISION } from '../devfile';

const DNS_LABEL = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;
const LABEL_MESSAGE =
  'must start with a lowercase letter, contain only lowercase letters, digits and hyphens, end with a letter or digit and have at most 63 characters';

const REVISION_MESSAGE =
  'must be a branch, tag or commit: letters, digits and ./+@_-, starting with a letter or digit';

/** Schema of a text without control characters, some of which PostgreSQL cannot store. */
const line = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^\P{Cc}*$/u, 'must not contain control characters');

const devfileUrl = line(2048);

/** The maximum of the log's integer column `seq`. */
const MAX_LOG_SEQ = 2_147_483_647;

/** Body of `POST /workspaces`. Unknown fields are ignored. */
export const createWorkspaceSchema = z.object({
  devfileUrl,
  namespace: z.string().regex(DNS_LABEL, LABEL_MESSAGE).optional(),
  name: z.string().regex(DNS_LABEL, LABEL_MESSAGE).optional(),
  starterProject: z.string().max(63).optional(),
  revision: z.string().regex(GIT_REVISION, REVISION_MESSAGE).optional(),
});

/** Body of `POST /workspaces` with the address of a repository, which is not part of the contract. */
export const createFromRepositorySchema = createWorkspaceSchema.extend({
  devfileUrl: z
    .undefined({ error: 'cannot be combined with repositoryUrl' })
    .optional(),
  repositoryUrl: line(2048),
});

const instant = z.iso
  .datetime({
    offset: true,
    error: 'must be a time in ISO 8601 with a time zone',
  })
  .transform(text => new Date(text).toISOString())
  // Times are compared as texts, which requires years of four digits; a time zone can change the year.
  .refine(text => /^\d{4}-/.test(text), 'must be in the years 0000 to 9999');

/** The maximum number of workspaces in one import, whose devfiles are read together. */
const MAX_IMPORTED = 50;
const MAX_DEVFILE_CHARACTERS = 262_144;

/** Body of `POST /imports`. */
export const importSchema = z.object({
  source: z.string().regex(DNS_LABEL, LABEL_MESSAGE),
  workspaces: z
    .array(
      z.object({
        owner: z
          .string()
          .max(255)
          .regex(
            /^user:[\w.-]+\/[\w.-]+$/i,
            'must be the entity reference of a user, such as user:default/ada',
          )
          // Credentials contain entity refs in lower case.
          .transform(ref => ref.toLocaleLowerCase('en-US')),
        name: z.string().regex(DNS_LABEL, LABEL_MESSAGE),
        devfileUrl,
        devfile: z.string().max(MAX_DEVFILE_CHARACTERS).optional(),
        revision: z.string().regex(GIT_REVISION, REVISION_MESSAGE).optional(),
        createdAt: instant,
        lastUsed: instant,
        note: line(300).optional(),
        deletesAt: instant.optional(),
      }),
    )
    .min(1)
    .max(MAX_IMPORTED),
});

/** Path of `DELETE /imports/{source}`. */
export const importPathSchema = importSchema.pick({ source: true });

/** Body of `POST /devfile/preview`, whose address may also be that of a repository. */
export const previewSchema = createWorkspaceSchema.pick({
  devfileUrl: true,
  revision: true,
});

/** Query of `GET /workspaces`. */
export const listQuerySchema = z.object({
  status: z
    .enum(WORKSPACE_STATUSES, {
      error: `must be one of ${WORKSPACE_STATUSES.join(', ')}`,
    })
    .optional(),
});

/** Query of `GET /workspaces/{id}/logs`. */
export const logsQuerySchema = z.object({
  after: z.coerce
    .number({ error: 'must be a whole number of at least 0' })
    .int()
    .min(0)
    .max(MAX_LOG_SEQ)
    .default(0),
});

/** Body of `POST /workspaces/{id}/ticket`: the location to open in the workspace. All fields are optional. */
export const ticketSchema = z
  .object({
    port: z.number().int().min(1).max(65_535).optional(),
    path: z.string().max(4096).startsWith('/').optional(),
  })
  .default({});

/** A parsed {@link createWorkspaceSchema} or {@link createFromRepositorySchema}. */
export type CreateWorkspace =
  | (z.output<typeof createWorkspaceSchema> & { repositoryUrl?: undefined })
  | z.output<typeof createFromRepositorySchema>;

/** A parsed {@link previewSchema}. */
export type PreviewRequest = z.output<typeof previewSchema>;

/** A parsed {@link ticketSchema}. */
export type TicketRequest = z.output<typeof ticketSchema>;
