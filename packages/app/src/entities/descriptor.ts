import type { Entity } from '@backstage/catalog-model';

/** Describes what an entity is: "API · openapi", or only the kind if it has no type. */
export function describeKind({ kind, spec }: Entity): string {
  const type = spec?.type;
  return typeof type === 'string' ? `${kind} · ${type}` : kind;
}

/** Protocols of addresses that run as part of the page that links to them. */
const SCRIPTS = /^(?:javascript|data):$/;

/**
 * Returns an address from a descriptor if a link may lead to it: anything but a script, which would
 * run as the reader. Undefined if it is not an address.
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
