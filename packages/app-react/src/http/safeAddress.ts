/** Protocols of addresses that run as part of the page that links to them. */
const SCRIPTS = /^(?:javascript|data):$/;

/** Matches a path, except one that browsers read as `//`: the address of another site. */
const PATH = /^\/(?![/\\\t\n\r])/;

/**
 * Returns an address from an untrusted source, such as a descriptor, feedback or the sender of a
 * notification, if it is safe to link to: a path of the portal, or any absolute address except a
 * script, which would run with the reader's session. Undefined if it is missing or anything else.
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
