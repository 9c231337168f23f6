import type { FlagState, FlagTraits, Strategy } from '../model/Flag.ts';
import type { ContextField, Environment, Project } from '../model/Registers.ts';
import type { Constraint } from '../model/Flag.ts';

/** A strategy that names its segments, since their ids differ from server to server. */
export interface BundledStrategy extends Omit<Strategy, 'id' | 'segments'> {
  /** Left out where the source has none. */
  readonly id?: string;
  readonly segments?: readonly string[];
}

/** What a flag is in one environment. */
export interface BundledState extends Omit<FlagState, 'strategies'> {
  readonly strategies: readonly BundledStrategy[];
}

/** A flag on its way from one server, or from a file, to another. */
export interface BundledFlag {
  readonly name: string;
  /** Left out for the project that the flag is in, or the default one. */
  readonly project?: string;
  /** What the source says of the settings that all environments share; the rest stays. */
  readonly traits: Partial<FlagTraits>;
  /** The states by environment; those of other environments stay. */
  readonly states: Readonly<Record<string, BundledState>>;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt?: number;
}

/** A segment by its name. */
export interface BundledSegment {
  readonly name: string;
  readonly description: string;
  readonly project: string | null;
  /** Left out where the source does not say them, as Unleash's export of one environment. */
  readonly constraints?: Constraint[];
}

/** Flags with everything that they refer to. */
export interface FlagBundle {
  readonly flags: readonly BundledFlag[];
  readonly segments: readonly BundledSegment[];
  readonly contextFields: readonly ContextField[];
  readonly environments: readonly Environment[];
  readonly projects: readonly Project[];
}
