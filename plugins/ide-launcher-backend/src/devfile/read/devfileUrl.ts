import { InputError } from '@backstage/errors';

/**
 * Parses the address of a devfile. Only https is accepted, and no user
 * information: a password in an address ends up in logs and in the database.
 *
 * @param text - The address as the caller gave it.
 * @param field - How messages name the field that holds it.
 * @param base - Address against which a relative one is resolved.
 * @throws InputError when it is not an address that may be read.
 */
export function parseDevfileUrl(
  text: string,
  field = 'devfileUrl',
  base?: URL,
): URL {
  if (!URL.canParse(text, base)) {
    throw new InputError(`${field} must be an https URL`);
  }
  const url = new URL(text, base);
  if (url.protocol !== 'https:') {
    throw new InputError(`${field} must be an https URL`);
  }
  if (url.username || url.password) {
    throw new InputError(`${field} must not contain a user name or password`);
  }
  url.hash = '';
  return url;
}

/** An address as messages show it. The query is left out: it may carry a token. */
export function displayUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}
