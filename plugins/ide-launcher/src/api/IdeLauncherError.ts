import { CustomErrorBase } from '@backstage/errors';

/** Why a call failed, where the server did not say it in words. */
export type IdeLauncherErrorKind =
  | 'offline'
  | 'unauthenticated'
  | 'forbidden'
  | 'notFound'
  | 'conflict'
  | 'limited'
  | 'invalid'
  | 'unavailable'
  | 'unexpected';

const KIND_BY_STATUS: Record<number, IdeLauncherErrorKind> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'notFound',
  409: 'conflict',
  413: 'invalid',
  422: 'invalid',
  429: 'limited',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};

/** A call to the ide-launcher back end that failed. */
export class IdeLauncherError extends CustomErrorBase {
  name = 'IdeLauncherError' as const;
  readonly kind: IdeLauncherErrorKind;
  /** HTTP status; undefined when no answer came. */
  readonly status: number | undefined;
  /** What the server said, without envelope; undefined when it said nothing readable. */
  readonly detail: string | undefined;

  private constructor(options: {
    kind: IdeLauncherErrorKind;
    status?: number;
    detail?: string;
    cause?: unknown;
  }) {
    super(options.detail ?? `Request failed: ${options.kind}`, options.cause);
    this.kind = options.kind;
    this.status = options.status;
    this.detail = options.detail;
  }

  /** The error of an answer that is not 2xx; consumes its body. */
  static async fromResponse(response: Response): Promise<IdeLauncherError> {
    return new IdeLauncherError({
      kind: KIND_BY_STATUS[response.status] ?? 'unexpected',
      status: response.status,
      detail: detailOf(await response.text()),
    });
  }

  /** The error of a request that no answer came to. */
  static offline(cause: unknown): IdeLauncherError {
    return new IdeLauncherError({ kind: 'offline', cause });
  }
}

/**
 * Reads the message out of the interface's own `{error: string}` and out of Backstage's
 * envelope `{error: {name, message}}`, which the app's fetch middleware may have made of it.
 */
function detailOf(body: string): string | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    // A proxy's HTML page says nothing worth showing.
    return undefined;
  }
  const error = propertyOf(parsed, 'error');
  const message =
    typeof error === 'string' ? error : propertyOf(error, 'message');
  return typeof message === 'string' && message !== '' ? message : undefined;
}

function propertyOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && key in value
    ? (value as Record<string, unknown>)[key]
    : undefined;
}
