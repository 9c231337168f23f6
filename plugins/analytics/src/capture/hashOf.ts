let anonymous: string | undefined;

/**
 * A stable name for somebody that is not their name. Pages that are not served securely
 * have no hash functions: there it is one for this page only.
 */
export async function hashOf(identity: string): Promise<string> {
  if (!globalThis.crypto?.subtle) {
    anonymous ??= `anonymous-${Math.random().toString(36).slice(2)}`;
    return anonymous;
  }
  const digest = await crypto.subtle.digest(
    'SHA-256',
    new TextEncoder().encode(identity),
  );
  return [...new Uint8Array(digest)]
    .slice(0, 16)
    .map(byte => byte.toString(16).padStart(2, '0'))
    .join('');
}
