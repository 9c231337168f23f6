import { fileCases } from './fileCases.ts';
import type { HostileRepository } from './HostileBench.ts';
import { repositoryCases } from './repositoryCases.ts';
import { stepCases } from './stepCases.ts';

/** An attack, and what the server must make of it. */
export interface HostileCase {
  /** What it must not do. */
  name: string;
  /** Run as the only step. */
  script?: string;
  /** Builds the repository of the job. */
  repository?(
    repository: HostileRepository,
    at: { scratch: string; host: string },
  ): void;
  /** True if the repository's pipelines are built. */
  pipeline?: boolean;
  /** Keys of the job. They may be ones that no job may have. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- also invalid ones
  job?: Record<string, any>;
  parameters?: Record<string, string>;
  /** The result of the build, or REFUSED if there is none. */
  outcome: RegExp;
  says?: RegExp;
  never?: RegExp;
}

export const hostileCases: readonly HostileCase[] = [
  ...repositoryCases,
  ...fileCases,
  ...stepCases,
];
