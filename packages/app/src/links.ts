/** Protocols of addresses that run as part of the page that links to them. */
const SCRIPTS = /^(?:javascript|data):$/;

/**
 * Returns an address that came from outside, such as a descriptor or the sender of a notification,
 * if a link may lead to it: anything but a script, which would run as the reader. Undefined if it is
 * not an address.
 */
export function safeAddress(address: string | undefined): string | undefined {
  if (address === undefined) {
    return undefined;
  }
  try {
    const { protocol } = new URL(address, window.location.origin);
    return SCRIPTS.test(protocol) ? undefined : address;
  } catch {
    return undefined;
  }
}
