import type { HostileRepository } from './HostileBench.ts';

/** An attack with its expected outcome. */
export interface HostileCase {
  /** The behaviour that must not occur. */
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
  /** Keys of the job, possibly invalid ones. */
  job?: Record<string, unknown> & { source?: object };
  parameters?: Record<string, string>;
  /** The result of the build, or REFUSED if there is none. */
  outcome: RegExp;
  says?: RegExp;
  never?: RegExp;
}
