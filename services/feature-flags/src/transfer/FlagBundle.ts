import type { FlagState, FlagTraits, Strategy } from '../model/Flag.ts';
import type { ContextField, Environment, Project } from '../model/Registers.ts';
import type { Constraint } from '../model/Flag.ts';

/** A strategy that names its segments, since their ids differ from server to server. */
export interface BundledStrategy extends Omit<Strategy, 'id' | 'segments'> {
  /** Omitted if the source has none. */
  readonly id?: string;
  readonly segments?: readonly string[];
}

/** The state of a flag in one environment. */
export interface BundledState extends Omit<FlagState, 'strategies'> {
  readonly strategies: readonly BundledStrategy[];
}

/** A flag as read from another server or a file, to be imported. */
export interface BundledFlag {
  readonly name: string;
  /** Omitted for the project that the flag is in, or for the default one. */
  readonly project?: string;
  /** The shared settings that the source contains; others are unchanged. */
  readonly traits: Partial<FlagTraits>;
  /** The states by environment; other environments are unchanged. */
  readonly states: Readonly<Record<string, BundledState>>;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt?: number;
}

/** A segment, identified by its name. */
export interface BundledSegment {
  readonly name: string;
  readonly description: string;
  readonly project: string | null;
  /** Omitted if the source lacks them, as Unleash's export of one environment does. */
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
