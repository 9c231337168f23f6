import { LoggerService } from '@backstage/backend-plugin-api';
import { closeUnread } from '@slipway/platform-guards';
import { ErrorRequestHandler, RequestHandler } from 'express';

/** Status by error name, for errors thrown deep in the code, without a status. */
const STATUS_BY_NAME: Readonly<Record<string, number>> = {
  InputError: 400,
  AuthenticationError: 401,
  NotAllowedError: 403,
  NotFoundError: 404,
  ConflictError: 409,
  NotImplementedError: 501,
  ServiceUnavailableError: 503,
};

/** Messages by body-parser's error types, because its own messages reveal internals. */
const MESSAGE_BY_BODY_PARSER_TYPE: Readonly<Record<string, string>> = {
  'entity.parse.failed': 'The request body is not valid JSON',
  'entity.too.large': 'The request body is too large',
  'encoding.unsupported': 'The content encoding is not supported',
  'charset.unsupported': 'The character set is not supported',
};

/** Matches V8's JSON syntax errors, of which some Backstage routers keep only the message. */
const OF_JSON_PARSER =
  /is not valid JSON$|^Unexpected end of JSON input$|in JSON at position \d/;

/** An error to be sent as a response; which fields are present depends on where it was thrown. */
interface ThrownError {
  name?: unknown;
  message?: unknown;
  status?: unknown;
  statusCode?: unknown;
  type?: unknown;
}

function statusOf(error: ThrownError): number {
  for (const status of [error.statusCode, error.status]) {
    if (typeof status === 'number' && status >= 400 && status < 600) {
      // The contract requires 400 for any input that cannot be read.
      return status === 415 ? 400 : status;
    }
  }
  return STATUS_BY_NAME[String(error.name)] ?? 500;
}

/**
 * Returns the parts of an error that a client may see: the status, and a message without internals. Below
 * 500 the message is the error's own, otherwise a fixed text.
 */
function toContractError(thrown: unknown): {
  status: number;
  body: { error: string };
} {
  const error: ThrownError =
    typeof thrown === 'object' && thrown !== null ? thrown : {};
  const status = statusOf(error);
  if (status === 503 && error.name === 'ServiceUnavailableError') {
    return { status, body: { error: 'The service is not ready yet' } };
  }
  if (status >= 500 && status !== 501) {
    return { status, body: { error: 'An internal error occurred' } };
  }
  const message = String(error.message ?? '') || 'The request was refused';
  const type = OF_JSON_PARSER.test(message)
    ? 'entity.parse.failed'
    : error.type;
  return {
    status,
    body: { error: MESSAGE_BY_BODY_PARSER_TYPE[String(type)] ?? message },
  };
}

/** Responds to unmatched paths with 404 in group A's format. */
export function contractNotFound(): RequestHandler {
  return (req, res) => {
    res.status(404).json({ error: `No such resource: ${req.path}` });
  };
}

/**
 * Creates the last middleware of a contract plugin: formats errors as `{error: string}` and logs
 * server errors.
 */
export function contractErrorHandler(options: {
  logger: LoggerService;
}): ErrorRequestHandler {
  return (error, req, res, next) => {
    if (res.headersSent) {
      next(error);
      return;
    }
    closeUnread(req, res);
    const { status, body } = toContractError(error);
    if (status >= 500) {
      options.logger.error(`Request failed with status ${status}`, error);
    }
    res.status(status).json(body);
  };
}
