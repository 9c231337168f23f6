import type { ServiceClient, CallOptions } from '@slipway/app-react';
import { featurePath } from './flags';

/** The reasons why a flag can be removed, in the order in which the page shows them. */
export const CLEAN_UP_REASONS = [
  'stale',
  'overdue',
  'unused',
  'on-everywhere',
  'off-everywhere',
] as const;
export type CleanUpReason = (typeof CLEAN_UP_REASONS)[number];

/** An issue about the removal of a flag. */
export interface FlagIssue {
  number: number;
  url: string;
}

/** A flag that can be removed. */
export interface CleanUpFlag {
  name: string;
  project: string;
  type: string;
  stale: boolean;
  reasons: readonly CleanUpReason[];
  owner: string | null;
  lastUsedAt: string | null;
  environments: readonly {
    name: string;
    enabled: boolean;
    lastUsedAt: string | null;
  }[];
  /** The number of lines of code that name it; null if no code was ever scanned. */
  references: number | null;
  issue?: FlagIssue;
}

/** Flags that can be removed, and whether issues can be opened for them. */
export interface CleanUpList {
  canOpenIssues: boolean;
  features: readonly CleanUpFlag[];
}

/** A line of code that names a flag. */
export interface CodeReference {
  repository: string;
  commit: string;
  path: string;
  line: number;
  text: string;
  /** The URL of the line. */
  url: string;
  scannedAt: string;
}

/** Flags that can be removed, and where code names them. */
export interface CleanUpCalls {
  listCleanUp(options?: CallOptions): Promise<CleanUpList>;
  listReferences(name: string, options?: CallOptions): Promise<CodeReference[]>;
  openIssue(name: string): Promise<FlagIssue>;
}

/** {@link CleanUpCalls} of the service. */
export function cleanUpCalls(admin: ServiceClient): CleanUpCalls {
  return {
    listCleanUp(options) {
      return admin.json('/clean-up', options);
    },

    async listReferences(name, options) {
      const { references } = await admin.json<{
        references: CodeReference[];
      }>(`${featurePath(name)}/code-references`, options);
      return references;
    },

    openIssue(name) {
      return admin.json(`${featurePath(name)}/issue`, { method: 'POST' });
    },
  };
}
