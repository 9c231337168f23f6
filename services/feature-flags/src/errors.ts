import type { ErrorFormat, FaultKind } from '@slipway/service-kit';
import { Type } from 'typebox';

/** The error names that clients of feature-flag servers expect. */
const names: Readonly<Record<FaultKind, string>> = {
  invalidRequest: 'BadDataError',
  unauthenticated: 'UnauthorizedError',
  forbidden: 'NoAccessError',
  notFound: 'NotFoundError',
  methodNotAllowed: 'MethodNotAllowedError',
  conflict: 'NameExistsError',
  preconditionFailed: 'PreconditionFailedError',
  payloadTooLarge: 'PayloadTooLargeError',
  unsupportedMediaType: 'ContentTypeError',
  rateLimited: 'RateLimitError',
  internal: 'InternalError',
  unavailable: 'UnavailableError',
};

/** The error format of the service: `{name, message, details: [{message}]}`. */
export const flagErrors: ErrorFormat = {
  schema: Type.Object({
    name: Type.String({ enum: Object.values(names) }),
    message: Type.String(),
    details: Type.Array(Type.Object({ message: Type.String() })),
  }),
  render: ({ kind, message }) => ({
    name: names[kind],
    message,
    details: [{ message }],
  }),
};
