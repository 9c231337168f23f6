/**
 * Matches names of parameters that contain a secret, or something that can be exchanged for one.
 */
const SECRET =
  /token|key|secret|passw|pwd|ticket|signature|code|credential|assertion|session|nonce|jwt|auth(?!or(?!i))|(?<![a-z])(?:sig|state|sid|hmac|otp)(?![a-z])/i;

/**
 * Removes the values of secret parameters from an address, so that it can be logged.
 *
 * @param url - a full URL, or a path with its query.
 */
export function redactUrl(url: string): string {
  const start = url.indexOf('?');
  if (start === -1) {
    return url;
  }
  const text = url.slice(start + 1);
  // Percent-encoding may hide a name.
  if (!SECRET.test(text) && !text.includes('%')) {
    return url;
  }
  const query = new URLSearchParams(text);
  for (const name of new Set(query.keys())) {
    if (SECRET.test(name)) {
      query.set(name, '[redacted]');
    }
  }
  return `${url.slice(0, start)}?${query}`;
}
