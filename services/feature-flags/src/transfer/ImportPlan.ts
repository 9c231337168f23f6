import type { Flag, FlagState } from '../model/Flag.ts';
import type { ContextField, Environment, Project } from '../model/Registers.ts';
import type { Segment } from '../model/Segment.ts';
import type { SegmentSettings } from '../storage/SegmentStore.ts';

/** Everything that there is before an import. */
export interface Inventory {
  /** Archived ones too. */
  readonly flags: readonly Flag[];
  readonly segments: readonly Segment[];
  readonly environments: readonly Environment[];
  readonly projects: readonly Project[];
  readonly contextFields: readonly ContextField[];
}

/** How strict an import is. */
export interface ImportMode {
  /**
   * True for a source of which SDKs have evaluated every rule already: those that are
   * refused elsewhere are warnings, and nothing of a rule is changed.
   */
  readonly isTrusted: boolean;
  /** True where segments that exist get the constraints of the source. */
  readonly updatesSegments: boolean;
  /** True where changes of protected environments are proposed; they are errors otherwise. */
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
  /** Its states in protected environments, where they are proposed. */
  readonly proposals: readonly Proposal[];
}

/** What an import will do. */
export interface ImportPlan {
  readonly environments: readonly Environment[];
  readonly projects: readonly Project[];
  readonly contextFields: readonly ContextField[];
  readonly segments: readonly PlannedSegment[];
  /** The flags that change; their strategies name new segments by the provisional ids of the plan. */
  readonly flags: readonly PlannedFlag[];
  readonly unchanged: readonly string[];
  /** What flags are to become in protected environments. */
  readonly proposals: readonly Proposal[];
  /** The names of segments by their ids, provisional ones too. */
  readonly segmentNames: ReadonlyMap<number, string>;
}
