/** A place where applications run, in which flags have states of their own. */
export interface Environment {
  readonly name: string;
  /** `development`, `test`, `preproduction`, `production` or any other. */
  readonly type: string;
  readonly sortOrder: number;
  /** False for one that pages leave out. */
  readonly enabled: boolean;
  /** True where flags change by approved change requests alone. */
  readonly protected: boolean;
  /** The number of people who have to approve a change. */
  readonly requiredApprovals: number;
}

/** Flags that belong together. */
export interface Project {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The owner, who may change its flags beside admins: a group or user, or a component or system for its owner. */
  readonly owner: string | null;
}

/** A field of the context in which applications evaluate flags. */
export interface ContextField {
  readonly name: string;
  readonly description: string;
  /** True where rollouts may use it for stickiness. */
  readonly stickiness: boolean;
  readonly sortOrder: number;
  /** The values that it may have; any where there are none. */
  readonly legalValues: readonly {
    readonly value: string;
    readonly description?: string;
  }[];
}
