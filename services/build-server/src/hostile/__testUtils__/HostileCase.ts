import type { HostileRepository } from './HostileBench.ts';

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
  job?: Record<string, unknown> & { source?: object };
  parameters?: Record<string, string>;
  /** The result of the build, or REFUSED if there is none. */
  outcome: RegExp;
  says?: RegExp;
  never?: RegExp;
}
