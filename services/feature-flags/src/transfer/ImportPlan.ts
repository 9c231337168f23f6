import type { Flag, FlagState, Segment } from '../model/Flag.ts';
import type { ContextField, Environment, Project } from '../model/Registers.ts';
import type { SegmentSettings } from '../storage/SegmentStore.ts';

/** The existing state before an import. */
export interface Inventory {
  /** Including archived ones. */
  readonly flags: readonly Flag[];
  readonly segments: readonly Segment[];
  readonly environments: readonly Environment[];
  readonly projects: readonly Project[];
  readonly contextFields: readonly ContextField[];
}

/** The strictness of an import. */
export interface ImportMode {
  /**
   * True for a source whose rules SDKs already evaluate: rules that are otherwise rejected only cause
   * warnings, and rules are not changed.
   */
  readonly isTrusted: boolean;
  /** True if existing segments get the constraints of the source. */
  readonly updatesSegments: boolean;
  /**
   * True if changes of protected environments become change requests; otherwise they are errors.
   */
  readonly proposes: boolean;
}

/** A change of a flag in a protected environment, which others have to approve. */
export interface Proposal {
  readonly name: string;
  readonly environment: string;
  readonly state: FlagState;
}

/** A segment that an import creates or changes. */
export interface PlannedSegment {
  readonly before?: Segment;
  readonly after: SegmentSettings;
  /** Its id, or a negative placeholder until it is created. */
  readonly id: number;
}

/** A flag before and after an import. */
export interface PlannedFlag {
  readonly before?: Flag;
  readonly after: Flag;
  readonly isChanged: boolean;
  /** Its requested states in protected environments. */
  readonly proposals: readonly Proposal[];
}

/** The changes that an import will make. */
export interface ImportPlan {
  readonly environments: readonly Environment[];
  readonly projects: readonly Project[];
  readonly contextFields: readonly ContextField[];
  readonly segments: readonly PlannedSegment[];
  /** The flags that change; their strategies name new segments by the provisional ids of the plan. */
  readonly flags: readonly PlannedFlag[];
  readonly unchanged: readonly string[];
  /** The requested states of flags in protected environments. */
  readonly proposals: readonly Proposal[];
  /** The names of segments by their ids, including provisional ones. */
  readonly segmentNames: ReadonlyMap<number, string>;
}
