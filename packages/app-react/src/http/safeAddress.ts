/** Protocols of addresses that run as part of the page that links to them. */
const SCRIPTS = /^(?:javascript|data):$/;

/** A path. What browsers read as `//` begins the address of another site instead. */
const PATH = /^\/(?![/\\\t\n\r])/;

/**
 * Returns an address that came from outside, such as a descriptor, feedback or the sender of a
 * notification, if a link may lead to it: a path of the portal, or any absolute address but a
 * script, which would run as the reader. Undefined if it is missing or anything else.
 */
export function safeAddress(
  address: string | null | undefined,
): string | undefined {
  if (!address || PATH.test(address)) {
    return address || undefined;
  }
  const isSafe =
    URL.canParse(address) && !SCRIPTS.test(new URL(address).protocol);
  return isSafe ? address : undefined;
}
