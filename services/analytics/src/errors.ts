import type { ErrorFormat, Fault, FaultKind } from '@slipway/service-kit';
import { Type } from 'typebox';

const words: Readonly<Record<FaultKind, { type: string; code: string }>> = {
  invalidRequest: { type: 'validation_error', code: 'invalid_input' },
  unauthenticated: { type: 'authentication_error', code: 'not_authenticated' },
  forbidden: { type: 'authentication_error', code: 'permission_denied' },
  notFound: { type: 'invalid_request', code: 'not_found' },
  methodNotAllowed: { type: 'invalid_request', code: 'method_not_allowed' },
  conflict: { type: 'invalid_request', code: 'conflict' },
  preconditionFailed: { type: 'invalid_request', code: 'precondition_failed' },
  payloadTooLarge: { type: 'invalid_request', code: 'payload_too_large' },
  unsupportedMediaType: {
    type: 'invalid_request',
    code: 'unsupported_media_type',
  },
  rateLimited: { type: 'throttled_error', code: 'throttled' },
  internal: { type: 'server_error', code: 'error' },
  unavailable: { type: 'server_error', code: 'unavailable' },
};

/** The error format of B5, which is the same as PostHog's: `{type, code, detail, attr}`. */
export const analyticsErrors: ErrorFormat = {
  schema: Type.Object({
    type: Type.String(),
    code: Type.String(),
    detail: Type.String(),
    attr: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  }),
  render(fault) {
    const { kind, message, field, constraint } = fault;
    return {
      type: words[kind].type,
      code: codeOf(fault),
      detail:
        kind === 'rateLimited' && constraint === undefined
          ? `Request was throttled. Expected available in ${fault.headers?.['retry-after']} seconds.`
          : message,
      attr: field === undefined || field === 'body' ? null : field,
    };
  },
};

function codeOf({ kind, field, constraint, headers }: Fault): string {
  if (kind === 'invalidRequest' && constraint === 'required') {
    return 'required';
  }
  if (
    kind === 'invalidRequest' &&
    field === 'body' &&
    constraint === 'format'
  ) {
    return 'parse_error';
  }
  const isWrong =
    constraint === 'unknown' ||
    headers?.['www-authenticate']?.includes('invalid_token');
  return kind === 'unauthenticated' && isWrong
    ? 'authentication_failed'
    : words[kind].code;
}
