/**
 * Whether `If-None-Match` holds an entity tag (RFC 9110, 13.1.2): compared weakly, one
 * of several, or `*`.
 */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) {
    return false;
  }
  if (header === etag || header === '*') {
    return true;
  }
  const opaque = withoutWeakness(etag);
  return header
    .split(',')
    .some(each => withoutWeakness(each.trim()) === opaque);
}

function withoutWeakness(etag: string): string {
  return etag.startsWith('W/') ? etag.slice(2) : etag;
}
