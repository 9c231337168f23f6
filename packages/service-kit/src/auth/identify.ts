import type { FastifyRequest } from 'fastify';
import type { Access, AddressLimit, Way } from './Access.ts';
import { type Caller, anonymous } from './Caller.ts';

/** What the credentials of a request come to. */
export interface Identification {
  caller: Caller;
  /** What the request counts against; undefined for the budget of its address. */
  budget?: string;
  /** The ways that know the caller. */
  ways: readonly Way[];
  /** Why a credential was refused: a wrong one is never taken for none. */
  refusal?: unknown;
}

/** Looks at every credential that a route takes. Never throws. */
export async function identify(
  access: Access,
  request: FastifyRequest,
  addresses: AddressLimit,
): Promise<Identification> {
  const refusals: { place: string; error: unknown }[] = [];
  const ways: Way[] = [];
  let first: { caller: Caller; budget: string } | undefined;
  for (const way of access.ways) {
    try {
      const found = await way.authenticator.authenticate(request, addresses);
      if (found) {
        first ??= found;
        ways.push(way);
      }
    } catch (error) {
      refusals.push({ place: way.authenticator.place, error });
    }
  }
  const refusal = refusals.find(({ place }) =>
    ways.every(({ authenticator }) => authenticator.place !== place),
  );
  if (refusal) {
    return { caller: anonymous, ways: [], refusal: refusal.error };
  }
  return first ? { ...first, ways } : { caller: anonymous, ways };
}
