import { type TSchema, Type } from 'typebox';
import type { Fault, FaultKind } from './ServiceError.ts';

/**
 * The error format of a service. The formats of groups B1/B2 and C are defined here; a service
 * with another contract provides its own.
 */
export interface ErrorFormat {
  /** The schema of the body, for the OpenAPI description. */
  readonly schema: TSchema;
  /**
   * Renders the body of an error response.
   *
   * @param context.status - HTTP status of the response.
   * @param context.now - time of the response.
   */
  render(fault: Fault, context: { status: number; now: Date }): unknown;
}

const codes: Readonly<Record<FaultKind, string>> = {
  invalidRequest: 'INVALID_REQUEST',
  unauthenticated: 'UNAUTHENTICATED',
  forbidden: 'FORBIDDEN',
  notFound: 'NOT_FOUND',
  methodNotAllowed: 'METHOD_NOT_ALLOWED',
  conflict: 'CONFLICT',
  preconditionFailed: 'PRECONDITION_FAILED',
  payloadTooLarge: 'PAYLOAD_TOO_LARGE',
  unsupportedMediaType: 'UNSUPPORTED_MEDIA_TYPE',
  rateLimited: 'RATE_LIMITED',
  internal: 'INTERNAL',
  unavailable: 'UNAVAILABLE',
};

/** The format of B1 and B2: `{error: {code, message, details?}, status, timestamp}`. */
export const groupBErrors: ErrorFormat = {
  schema: Type.Object({
    error: Type.Object({
      code: Type.String({ enum: Object.values(codes) }),
      message: Type.String(),
      details: Type.Optional(
        Type.Object({ field: Type.String(), constraint: Type.String() }),
      ),
    }),
    status: Type.Integer(),
    timestamp: Type.String({ format: 'date-time' }),
  }),
  render({ kind, message, field, constraint }, { status, now }) {
    return {
      error: {
        code: codes[kind],
        message,
        ...(field !== undefined &&
          constraint !== undefined && { details: { field, constraint } }),
      },
      status,
      timestamp: now.toISOString(),
    };
  },
};

/** The format of the build server: `{message}`. */
export const groupCErrors: ErrorFormat = {
  schema: Type.Object({ message: Type.String() }),
  render: ({ message }) => ({ message }),
};
