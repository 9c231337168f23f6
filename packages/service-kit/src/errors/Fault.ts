/**
 * Every way in which a service says no, with its HTTP status. A new one belongs in
 * here first: the error formats are tables over these kinds.
 */
export const faultStatus = {
  invalidRequest: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  conflict: 409,
  payloadTooLarge: 413,
  rateLimited: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type FaultKind = keyof typeof faultStatus;

/** What a caller is told about a request that failed; free of internals. */
export interface Fault {
  readonly kind: FaultKind;
  /** A sentence for the caller. */
  readonly message: string;
  /** Dotted path of the one field at fault, e.g. `responses.overall_satisfaction`. */
  readonly field?: string;
  /** What the field breaks: `required`, `type`, `minimum`, `enum`, `format`, … */
  readonly constraint?: string;
  /** Further response headers, e.g. `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
}
