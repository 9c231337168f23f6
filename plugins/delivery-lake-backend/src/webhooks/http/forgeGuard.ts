import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AuthenticationError, InputError } from '@backstage/errors';
import {
  checkSignature,
  Forge,
  inTurns,
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

/** Why a delivery is not believed; names the setting where it is that which is missing. */
function complaint(options: {
  forge: Forge;
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
 * Reads a body that its signature may vouch for, in turns with other work, and feeds the
 * check while it arrives. The pieces are put together, and unpacked, by `take` alone: a
 * delivery that is not believed costs their hash.
 *
 * @throws BodyTooLargeError as soon as it is too large.
 */
async function receive(
  req: Request,
  check: SignatureCheck,
): Promise<{ isGood: boolean; isEmpty: boolean; take(): Promise<Buffer> }> {
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
    // Of a form one field is signed, decoded: it has to be here whole.
    const message = messageOf(req, Buffer.concat(chunks)) ?? '';
    check.update(message);
    isEmpty = message.length === 0;
  }
  return {
    isGood: check.matches(),
    isEmpty,
    take: () => unpacked(req, Buffer.concat(chunks)),
  };
}

/** @throws InputError where a body is packed in another way than its header says. */
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
 * Reads the body of a delivery and lets it in when its forge signed it, or when it comes
 * with a service token. Nothing is made of the bytes before that, and those of a delivery
 * that no signature can vouch for are not read unless its token is good.
 *
 * @param options.guard - checks the caller's own credentials.
 * @returns a middleware that fails with AuthenticationError for all others.
 */
export function createForgeGuard(options: {
  forge: Forge;
  secrets: string[];
  guard: RequestHandler;
}): RequestHandler {
  const { forge, secrets, guard } = options;
  const read = rawBody();
  return async (req, res, next) => {
    const askForToken = (isSigned: boolean, admit: NextFunction) => {
      // After the signature: a hook may carry a token that is meant for a proxy.
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
      const { isGood, isEmpty, take } = await receive(req, check);
      const admit = () =>
        take().then(body => {
          req.body = body;
          next();
        }, next);
      if (isGood) {
        await admit();
      } else {
        askForToken(!isEmpty, admit);
      }
    } catch (error) {
      next(error);
    }
  };
}
