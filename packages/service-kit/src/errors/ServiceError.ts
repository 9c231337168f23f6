/**
 * All kinds of errors that a service returns, with their HTTP status. Add a new kind here first:
 * the error formats are tables over these kinds.
 */
export const faultStatus = {
  invalidRequest: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  conflict: 409,
  preconditionFailed: 412,
  payloadTooLarge: 413,
  unsupportedMediaType: 415,
  rateLimited: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type FaultKind = keyof typeof faultStatus;

/** The public description of a failed request; free of internals. */
export interface Fault {
  readonly kind: FaultKind;
  /** A sentence for the caller. */
  readonly message: string;
  /** Dotted path of the invalid field, e.g. `responses.overall_satisfaction`. */
  readonly field?: string;
  /** The constraint that the field violates: `required`, `type`, `minimum`, `enum`, `format`, … */
  readonly constraint?: string;
  /** Additional response headers, e.g. `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * An error whose message is meant for the caller. Thrown anywhere below a route and turned into a
 * response in one place, in the error format of the service.
 */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError';
  readonly fault: Fault;

  constructor(
    kind: FaultKind,
    message: string,
    options: Omit<Fault, 'kind' | 'message'> & { cause?: unknown } = {},
  ) {
    const { cause, ...rest } = options;
    super(message, cause === undefined ? undefined : { cause });
    this.fault = { kind, message, ...rest };
  }
}

/** 400; sets `field` and `constraint` if a single field is invalid. */
export class InvalidRequestError extends ServiceError {
  override readonly name = 'InvalidRequestError';

  constructor(
    message: string,
    options: { field?: string; constraint?: string; cause?: unknown } = {},
  ) {
    super('invalidRequest', message, options);
  }
}

/** 401: missing or invalid credential. */
export class UnauthenticatedError extends ServiceError {
  override readonly name = 'UnauthenticatedError';

  /** @param options.challenge - the `WWW-Authenticate` header. */
  constructor(
    message = 'Valid credentials are required',
    options: { challenge?: string; cause?: unknown } = {},
  ) {
    const { challenge, cause } = options;
    super('unauthenticated', message, {
      cause,
      ...(challenge && { headers: { 'www-authenticate': challenge } }),
    });
  }
}

/** 403: an authenticated caller without permission. */
export class ForbiddenError extends ServiceError {
  override readonly name = 'ForbiddenError';

  constructor(message = 'You have no permission for this') {
    super('forbidden', message);
  }
}

/** 404 */
export class NotFoundError extends ServiceError {
  override readonly name = 'NotFoundError';

  constructor(message = 'Not found') {
    super('notFound', message);
  }
}

/** 409 */
export class ConflictError extends ServiceError {
  override readonly name = 'ConflictError';

  constructor(
    message: string,
    options: { field?: string; constraint?: string; cause?: unknown } = {},
  ) {
    super('conflict', message, options);
  }
}

/** 412: the resource no longer matches the caller's `If-Match`. */
export class PreconditionFailedError extends ServiceError {
  override readonly name = 'PreconditionFailedError';

  constructor(message: string) {
    super('preconditionFailed', message);
  }
}

/** 413 */
export class PayloadTooLargeError extends ServiceError {
  override readonly name = 'PayloadTooLargeError';

  constructor(
    message = 'The request body is too large',
    options: { field?: string; constraint?: string } = {},
  ) {
    super('payloadTooLarge', message, options);
  }
}

/** 429 */
export class RateLimitedError extends ServiceError {
  override readonly name = 'RateLimitedError';

  /** @param retryAfterSeconds - whole seconds until the window ends. */
  constructor(retryAfterSeconds: number) {
    super(
      'rateLimited',
      `Too many requests, try again in ${retryAfterSeconds} seconds`,
      {
        headers: { 'retry-after': String(retryAfterSeconds) },
      },
    );
  }
}

/** 503: a dependency does not respond, or the service is overloaded. */
export class UnavailableError extends ServiceError {
  override readonly name = 'UnavailableError';

  constructor(
    message = 'The service is temporarily unavailable',
    options: { retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    const { retryAfterSeconds = 5, cause } = options;
    super('unavailable', message, {
      cause,
      headers: { 'retry-after': String(retryAfterSeconds) },
    });
  }
}

/** Thrown for an invalid configuration; the message lists all errors, one per line. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      faults.length === 1
        ? `The configuration has an error: ${faults[0]}`
        : `The configuration has ${faults.length} errors:\n${faults
            .map(fault => `  ${fault}`)
            .join('\n')}`,
    );
    this.faults = faults;
  }
}
