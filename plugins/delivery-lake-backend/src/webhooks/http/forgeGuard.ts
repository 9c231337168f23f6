import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AuthenticationError, InputError } from '@backstage/errors';
import {
  checkSignature,
  inTurns,
  Sender,
  SignatureCheck,
} from '@slipway/platform-guards';
import { NextFunction, Request, RequestHandler } from 'express';
import {
  BODY_LIMIT_BYTES,
  BodyTooLargeError,
  headersOf,
  isForm,
  messageOf,
  rawBody,
} from './delivery';

const gunzipAsync = promisify(gunzip);

/** Returns why a delivery is rejected, with the name of the missing setting, if any. */
function complaint(options: {
  forge: Sender;
  secrets: string[];
  isSigned: boolean;
}): string {
  const { forge, secrets, isSigned } = options;
  if (secrets.length === 0) {
    return `Webhooks of ${forge} need a secret in deliveryLake.webhooks.${forge}.secrets, or a service token`;
  }
  return isSigned
    ? 'The signature does not match'
    : 'The delivery is not signed';
}

/**
 * Reads a signed body, yielding to other work, and hashes it while it arrives. Only `readBody`
 * joins and decompresses the chunks, so an unauthenticated delivery costs no more than its
 * hash.
 *
 * @throws BodyTooLargeError as soon as it is too large.
 */
async function receive(
  req: Request,
  check: SignatureCheck,
): Promise<{ isGood: boolean; isEmpty: boolean; readBody(): Promise<Buffer> }> {
  if (Number(req.get('content-length')) > BODY_LIMIT_BYTES) {
    throw new BodyTooLargeError();
  }
  const isWhole = check.over === 'body' || !isForm(req);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of inTurns(req)) {
      length += chunk.length;
      if (length > BODY_LIMIT_BYTES) {
        throw new BodyTooLargeError();
      }
      chunks.push(chunk);
      if (isWhole) {
        check.update(chunk);
      }
    }
  } catch (error) {
    throw req.destroyed ? new InputError('The request was cut off') : error;
  }
  let isEmpty = length === 0;
  if (!isWhole) {
    // In a form, the signature covers the decoded field, so the whole body is needed.
    const message = messageOf(req, Buffer.concat(chunks)) ?? '';
    check.update(message);
    isEmpty = message.length === 0;
  }
  return {
    isGood: check.matches(),
    isEmpty,
    readBody: () => unpacked(req, Buffer.concat(chunks)),
  };
}

/** Decompresses a body. @throws InputError if it is not encoded as its header says. */
async function unpacked(req: Request, body: Buffer): Promise<Buffer> {
  const encoding = req.get('content-encoding') ?? 'identity';
  if (/^(?:identity)?$/i.test(encoding)) {
    return body;
  }
  if (!/^gzip$/i.test(encoding)) {
    throw new InputError('The content encoding is not supported');
  }
  try {
    return await gunzipAsync(body, { maxOutputLength: BODY_LIMIT_BYTES });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      ? new BodyTooLargeError()
      : new InputError('The request body is not valid gzip', error);
  }
}

/**
 * Creates a middleware that reads the body of a delivery, and accepts it if its sender signed it or
 * it has a valid service token. The bytes are not interpreted before that, and the body of an
 * unsigned delivery is only read if its token is valid. All other deliveries are rejected with an
 * AuthenticationError.
 *
 * @param options.guard - checks the caller's own credentials.
 * @param options.onSigned - called for each delivery with a valid signature, before it is accepted.
 */
export function createForgeGuard(options: {
  forge: Sender;
  secrets: string[];
  guard: RequestHandler;
  onSigned?: () => Promise<void>;
}): RequestHandler {
  const { forge, secrets, guard, onSigned } = options;
  const read = rawBody();
  return async (req, res, next) => {
    const askForToken = (isSigned: boolean, admit: NextFunction) => {
      // Checked after the signature, because a hook may have a token that is intended for a proxy.
      if (/^bearer /i.test(req.get('authorization') ?? '')) {
        guard(req, res, error => (error ? next(error) : admit()));
      } else {
        next(new AuthenticationError(complaint({ forge, secrets, isSigned })));
      }
    };
    const header = headersOf(req);
    const check = checkSignature({ forge, secrets, header });
    const isSigned = check !== undefined;
    const isUnread =
      !isSigned ||
      secrets.length === 0 ||
      (check.over === 'nothing' && !check.matches());
    if (isUnread) {
      askForToken(isSigned, () => read(req, res, next));
      return;
    }
    try {
      const { isGood, isEmpty, readBody } = await receive(req, check);
      const admit = () =>
        readBody().then(body => {
          req.body = body;
          next();
        }, next);
      if (isGood) {
        await onSigned?.();
        await admit();
      } else {
        askForToken(!isEmpty, admit);
      }
    } catch (error) {
      next(error);
    }
  };
}
