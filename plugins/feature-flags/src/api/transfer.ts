import type { ServiceClient } from '@slipway/app-react';

/** An export of flags in the format of Unleash. */
export type FlagExport = Readonly<Record<string, unknown>>;

/** A message about an import, and the flags or segments that it concerns. */
export interface Finding {
  message: string;
  affectedItems: readonly string[];
}

/** The changes of an import, made or planned. */
export interface ImportReport {
  /** Nothing is imported if there are any. */
  errors: readonly Finding[];
  warnings: readonly Finding[];
  /** The entity tag of the report; differs once others have changed what the import overwrites. */
  etag: string;
  changes: {
    environments: readonly string[];
    projects: readonly string[];
    contextFields: readonly string[];
    segments: readonly string[];
    created: readonly string[];
    updated: readonly {
      name: string;
      fields: readonly { field: string; from?: unknown; to?: unknown }[];
    }[];
    unchanged: readonly string[];
  };
}

/** A project and an environment. */
export interface TransferPlace {
  /** The project; by default all projects, or those that an export names. */
  project?: string;
  /** The environment; by default all environments, or those that an export names. */
  environment?: string;
}

/** Imports and exports. */
export interface TransferCalls {
  /** Exports flags with all segments, or with those that the flags of the given project use. */
  exportFlags(place: TransferPlace): Promise<FlagExport>;
  /**
   * Imports an export into a place, all or nothing.
   *
   * @param options.dryRun - true to only report what it would do.
   * @param options.etag - the tag of the report that the user has seen.
   * @throws an error with the status 412 if others have changed what it overwrites.
   */
  importFlags(
    data: FlagExport,
    options: TransferPlace & { dryRun: boolean; etag?: string },
  ): Promise<ImportReport>;
}

/** {@link TransferCalls} of the service. */
export function transferCalls(admin: ServiceClient): TransferCalls {
  return {
    exportFlags({ project, environment }) {
      return admin.json('/state/export', { query: { project, environment } });
    },

    importFlags(data, { dryRun, etag, project, environment }) {
      return admin.json('/state/import', {
        method: 'POST',
        query: { dryRun, project, environment },
        body: data,
        ifMatch: etag,
      });
    },
  };
}
