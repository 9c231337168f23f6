import { InputError, isError } from '@backstage/errors';
import { displayUrl } from './devfileUrl';

/** How Backstage's fetch reader words a redirect that leaves the allow list; it has no error type for it. */
const REDIRECT_NOT_ALLOWED =
  /^URL not allowed by backend\.reading\.allow configuration: (\S+)/;
/** Every URL reader ends its message with the status: `could not read <url>, 503 Service Unavailable`. */
const STATUS = /, ([1-5]\d\d)\b(?!.*, [1-5]\d\d\b)/;

/** The refusal of a host, the same whether it is unlisted or private: it must not tell what the network holds. */
export function hostNotAllowed(url: URL): InputError {
  return new InputError(
    `cannot read ${displayUrl(url)}: host ${url.host} is not allowed; ` +
      `allowed hosts are configured under backend.reading.allow`,
  );
}

/**
 * Says what went wrong while a devfile was read, without the inner error:
 * that may name internal addresses.
 *
 * @param error - What the URL reader threw.
 * @param url - The address that was to be read.
 */
export function toReadError(error: unknown, url: URL): InputError {
  if (error instanceof InputError) return error;
  const where = displayUrl(url);
  const { name, message } = isError(error) ? error : { name: '', message: '' };
  if (name === 'NotAllowedError') return hostNotAllowed(url);
  if (name === 'NotFoundError') return new InputError(`${where} answered 404`);

  const redirect = REDIRECT_NOT_ALLOWED.exec(message);
  if (redirect && URL.canParse(redirect[1])) {
    return hostNotAllowed(new URL(redirect[1]));
  }
  if (message.startsWith('Too many redirects')) {
    return new InputError(`${where} redirects too often`);
  }
  const status = STATUS.exec(message);
  if (status) return new InputError(`${where} answered ${status[1]}`);
  return new InputError(
    `cannot reach ${url.host}: no connection, or a certificate that the portal does not trust`,
  );
}
