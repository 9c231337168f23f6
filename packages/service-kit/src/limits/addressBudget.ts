import ipaddr from 'ipaddr.js';
import { budgetOf } from '../auth/CredentialSet.ts';

/** Groups of 16 bits of an IPv6 address that say whose network it is; the rest its holder chooses. */
const NETWORK_GROUPS = 4;

/**
 * Names the budget of an address. IPv6 addresses count by their /64, since one caller has
 * all addresses of one; an IPv4 address counts the same in either notation.
 *
 * @param ip - as Fastify tells it in `request.ip`.
 */
export function addressBudget(ip: string): string {
  return budgetOf('address', ip.includes(':') ? networkOf(ip) : ip);
}

function networkOf(ip: string): string {
  // What a proxy forwards need not be an address.
  if (!ipaddr.IPv6.isValid(ip)) {
    return ip;
  }
  const address = ipaddr.process(ip);
  return address instanceof ipaddr.IPv6
    ? address.parts.slice(0, NETWORK_GROUPS).join(':')
    : address.toString();
}
