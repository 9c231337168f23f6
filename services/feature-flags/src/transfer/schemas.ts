import { Type } from 'typebox';
import { UnleashExport } from './unleash/schemas.ts';

/** Larger than an export of 5,000 flags. */
export const TRANSFER_BODY_LIMIT = 32 * 1024 * 1024;

const Place = Type.String({ minLength: 1, maxLength: 100 });

const target = {
  project: Type.Optional(
    Type.String({
      ...Place,
      description: 'Default: the projects that the export names.',
    }),
  ),
  environment: Type.Optional(
    Type.String({
      ...Place,
      description: 'Default: the environments that the export names.',
    }),
  ),
};

/** Body of `features-batch/validate` and `features-batch/import`. */
export const ImportBody = Type.Object({ ...target, data: UnleashExport });

/** Query of `state/import`. */
export const ImportQuery = Type.Object({
  ...target,
  dryRun: Type.Boolean({
    default: false,
    description: 'Only report what the import would do.',
  }),
});

const Findings = Type.Array(
  Type.Object({
    message: Type.String(),
    affectedItems: Type.Array(Type.String()),
  }),
);
const Names = Type.Array(Type.String());

/** What an import does, and what prevents it. */
export const Report = Type.Object({
  errors: Findings,
  warnings: Findings,
  permissions: Type.Array(Type.Unknown(), {
    description: 'Always empty: only admins can import.',
  }),
  changes: Type.Object({
    environments: Names,
    projects: Names,
    contextFields: Names,
    segments: Names,
    created: Names,
    updated: Type.Array(
      Type.Object({
        name: Type.String(),
        fields: Type.Array(
          Type.Object({
            field: Type.String(),
            from: Type.Unknown(),
            to: Type.Unknown(),
          }),
        ),
      }),
    ),
    unchanged: Names,
  }),
});

/** A report with its entity tag. */
export const TaggedReport = Type.Object({
  ...Report.properties,
  etag: Type.String({
    description:
      'Send as If-Match, so that the import makes only the reported changes.',
  }),
});

/** Body of `features-batch/export`. */
export const ExportQuery = Type.Object({
  environment: Type.String({ minLength: 1, maxLength: 100 }),
  features: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), { maxItems: 5_000 }),
  ),
  project: Type.Optional(Place),
  tag: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'The value of a tag, or type:value.',
    }),
  ),
  downloadFile: Type.Boolean({
    default: false,
    description: 'Answer with a file name.',
  }),
});

/** Query of `state/export`. */
export const StateExportQuery = Type.Object({
  project: Type.Optional(
    Type.String({ ...Place, description: 'Only the flags of this project.' }),
  ),
  environment: Type.Optional(
    Type.String({ ...Place, description: 'Only this environment.' }),
  ),
});

export const Exported = Type.Record(Type.String(), Type.Unknown());
