import {
  DatabaseUnavailableError,
  isConnectionError,
} from '../database/databaseErrors.ts';
import { type Fault, ServiceError } from './ServiceError.ts';
import { type SchemaViolation, validationFault } from './validationFault.ts';

/** The properties that Fastify adds to its own errors. */
interface FrameworkError extends Error {
  code?: string;
  statusCode?: number;
  validation?: SchemaViolation[];
  validationContext?: string;
}

const internal: Fault = {
  kind: 'internal',
  message: 'Something went wrong in the service',
};

const unavailable: Fault = {
  kind: 'unavailable',
  message: 'The service is temporarily unavailable',
  headers: { 'retry-after': '5' },
};

/** The response for an invalid path parameter: such a resource cannot exist. */
const notFound: Fault = {
  kind: 'notFound',
  message: 'Path not found',
};

const malformedJson: Fault = {
  kind: 'invalidRequest',
  message: 'The request body is not valid JSON',
  field: 'body',
  constraint: 'format',
};

const frameworkFaults: Readonly<Record<string, Fault>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: malformedJson,
  FST_ERR_CTP_EMPTY_JSON_BODY: {
    kind: 'invalidRequest',
    message: 'A request body is required',
    field: 'body',
    constraint: 'required',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    kind: 'invalidRequest',
    message: 'The Content-Type of the request is not supported',
    field: 'content-type',
    constraint: 'enum',
  },
  FST_ERR_CTP_BODY_TOO_LARGE: {
    kind: 'payloadTooLarge',
    message: 'The request body is too large',
  },
};

/**
 * Converts an error into what a caller may see. Only errors made for callers keep their message:
 * errors of the database or of libraries may contain SQL, paths or secrets.
 *
 * @param request.bodyAbsent - whether the request had no body.
 */
export function toFault(
  error: unknown,
  request: { bodyAbsent: boolean },
): Fault {
  if (error instanceof ServiceError) {
    return error.fault;
  }
  if (error instanceof DatabaseUnavailableError || isConnectionError(error)) {
    return unavailable;
  }
  if (!(error instanceof Error)) {
    return internal;
  }
  const { code, statusCode, validation, validationContext } =
    error as FrameworkError;
  if (validation && validation.length > 0) {
    const part = validationContext ?? 'body';
    if (part === 'params') {
      return notFound;
    }
    return validationFault(validation, {
      part,
      absent: part === 'body' && request.bodyAbsent,
    });
  }
  // Only Fastify's own codes: an error from a library may carry the status of some other server.
  if (!code?.startsWith('FST_')) {
    return internal;
  }
  if (frameworkFaults[code]) {
    return frameworkFaults[code];
  }
  if (statusCode === 503) {
    return unavailable;
  }
  return statusCode !== undefined && statusCode >= 400 && statusCode < 500
    ? { kind: 'invalidRequest', message: 'The request is malformed' }
    : internal;
}
