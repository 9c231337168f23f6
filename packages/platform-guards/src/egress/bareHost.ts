/**
 * The host of an address as a resolver takes it: without the brackets of IPv6 and the
 * dot of the root. Decimal, octal and hexadecimal forms have become dotted ones in the URL.
 */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}
