/** A place where applications run; flags have a separate state in each. */
export interface Environment {
  readonly name: string;
  /** `development`, `test`, `preproduction`, `production` or any other. */
  readonly type: string;
  readonly sortOrder: number;
  /** False for one that pages hide. */
  readonly enabled: boolean;
  /** True if flags change only by approved change requests. */
  readonly protected: boolean;
  /** The number of required approvals of a change. */
  readonly requiredApprovals: number;
}

/** Flags that belong together. */
export interface Project {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /**
   * Entity reference of the owner, who may change the project's flags, as admins may: a group or user,
   * or a component or system, in which case its own owner may.
   */
  readonly owner: string | null;
}

/** A type of tags, such as `team`. */
export interface TagType {
  readonly name: string;
  readonly description: string;
  /** A letter, an emoji or the name of an icon; empty for none. */
  readonly icon: string;
  /** `#rrggbb` */
  readonly color: string | null;
}

/** A field of the context in which applications evaluate flags. */
export interface ContextField {
  readonly name: string;
  readonly description: string;
  /** True if rollouts may use it for stickiness. */
  readonly stickiness: boolean;
  readonly sortOrder: number;
  /** The values that it may have; any if empty. */
  readonly legalValues: readonly {
    readonly value: string;
    readonly description?: string;
  }[];
}

/** The legal values of context fields that have some, by field name. */
export type LegalValues = ReadonlyMap<string, readonly string[]>;

/** Collects the legal values of context fields. */
export function legalValuesOf(fields: readonly ContextField[]): LegalValues {
  return new Map(
    fields
      .filter(({ legalValues }) => legalValues.length > 0)
      .map(({ name, legalValues }) => [
        name,
        legalValues.map(({ value }) => value),
      ]),
  );
}
