/** A place where applications run, in which flags have states of their own. */
export interface Environment {
  readonly name: string;
  /** `development`, `test`, `preproduction`, `production` or any other. */
  readonly type: string;
  readonly sortOrder: number;
  /** False for one that pages leave out. */
  readonly enabled: boolean;
}

/** Flags that belong together. */
export interface Project {
  readonly id: string;
  readonly name: string;
  readonly description: string;
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
