import { Type } from 'typebox';
import type { ErrorFormat } from './ErrorFormat.ts';
import type { FaultKind } from './Fault.ts';

const codes: Readonly<Record<FaultKind, string>> = {
  invalidRequest: 'INVALID_REQUEST',
  unauthenticated: 'UNAUTHENTICATED',
  forbidden: 'FORBIDDEN',
  notFound: 'NOT_FOUND',
  methodNotAllowed: 'METHOD_NOT_ALLOWED',
  conflict: 'CONFLICT',
  payloadTooLarge: 'PAYLOAD_TOO_LARGE',
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
