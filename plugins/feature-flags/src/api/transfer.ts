import type { ServiceClient } from '@slipway/app-react';

/** Flags as Unleash exports them: the content of a file. */
export type FlagExport = Readonly<Record<string, unknown>>;

/** Something that an import says, and the flags or segments that it is about. */
export interface Finding {
  message: string;
  affectedItems: readonly string[];
}

/** What an import does, or would do. */
export interface ImportReport {
  /** Nothing is imported while there are any. */
  errors: readonly Finding[];
  warnings: readonly Finding[];
  changes: {
    environments: readonly string[];
    projects: readonly string[];
    contextFields: readonly string[];
    segments: readonly string[];
    created: readonly string[];
    updated: readonly { name: string; fields: readonly { field: string }[] }[];
    unchanged: readonly string[];
  };
}

/** Flags from and to Unleash. */
export interface TransferCalls {
  /** Everything in all environments. */
  exportFlags(): Promise<FlagExport>;
  /**
   * Imports an export, all or nothing.
   *
   * @param options.dryRun - only report what it would do.
   */
  importFlags(
    data: FlagExport,
    options: { dryRun: boolean },
  ): Promise<ImportReport>;
}

/** {@link TransferCalls} of the service. */
export function transferCalls(admin: ServiceClient): TransferCalls {
  return {
    exportFlags(): Promise<FlagExport> {
      return admin.json('/state/export');
    },

    importFlags(
      data: FlagExport,
      { dryRun }: { dryRun: boolean },
    ): Promise<ImportReport> {
      return admin.json('/state/import', {
        method: 'POST',
        query: { dryRun },
        body: data,
      });
    },
  };
}
