/** What the lake keeps records of, as `--kind` names it. */
export const KINDS = ['deployment', 'change', 'incident'] as const;
export type Kind = (typeof KINDS)[number];

/** An item of a file, or why there is none where one should be. */
export interface Line {
  /** From 1, as editors count; where the item ends. */
  line: number;
  /** Bytes of the file up to its end. */
  bytes: number;
  content:
    | { kind: Kind; item: Record<string, unknown> }
    | { error: string; field?: string; item: unknown };
}

function isKind(value: unknown): value is Kind {
  return KINDS.some(kind => kind === value);
}

/** Takes the kind off an item. @param fallback - the kind of an item that names none. */
export function toContent(
  value: Record<string, unknown>,
  fallback: Kind,
): Line['content'] {
  const { kind = fallback, ...item } = value;
  return isKind(kind)
    ? { kind, item }
    : {
        error: `kind must be one of ${KINDS.join(', ')}`,
        field: 'kind',
        item: value,
      };
}
