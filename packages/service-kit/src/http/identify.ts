import type { FastifyRequest } from 'fastify';
import {
  type Access,
  type AddressLimit,
  anonymous,
  type Authenticated,
  type Caller,
  type Way,
} from '../auth/Access.ts';

/** The result of checking the credentials of a request. */
export interface Identification {
  caller: Caller;
  /** The budget that the request counts against; undefined for that of its address. */
  budget?: string;
  /** True for a request through the portal's proxy. */
  fromPages?: boolean;
  /** The ways that authenticated the caller. */
  ways: readonly Way[];
  /** Why a credential was rejected; an invalid credential is not treated like a missing one. */
  refusal?: unknown;
}

/** The results of the credentials checked so far. */
interface Findings {
  readonly refusals: { place: string; error: unknown }[];
  readonly ways: Way[];
  first?: Authenticated;
}

/**
 * Checks every credential that a route accepts, one after another. Never throws or rejects.
 *
 * @returns a promise only if a credential is not cached in memory.
 */
export function identify(
  access: Access,
  request: FastifyRequest,
  addresses: AddressLimit,
): Identification | Promise<Identification> {
  const { ways } = access;
  return ways.length === 1
    ? checkOnly(ways, request, addresses)
    : checkWays(ways, {
        findings: { refusals: [], ways: [] },
        authenticate: way => way.authenticator.authenticate(request, addresses),
      });
}

/** Checks the credential of a route that accepts a single kind, without collecting findings. */
function checkOnly(
  ways: readonly Way[],
  request: FastifyRequest,
  addresses: AddressLimit,
): Identification | Promise<Identification> {
  try {
    const found = ways[0].authenticator.authenticate(request, addresses);
    return found instanceof Promise
      ? found.then(each => accept(each, ways), refuse)
      : accept(found, ways);
  } catch (error) {
    return refuse(error);
  }
}

function accept(
  found: Authenticated | undefined,
  ways: readonly Way[],
): Identification {
  return found
    ? {
        caller: found.caller,
        budget: found.budget,
        fromPages: found.fromPages,
        ways,
      }
    : { caller: anonymous, ways: [] };
}

function refuse(refusal: unknown): Identification {
  return { caller: anonymous, ways: [], refusal };
}

function checkWays(
  ways: readonly Way[],
  options: {
    findings: Findings;
    authenticate: (
      way: Way,
    ) => ReturnType<Way['authenticator']['authenticate']>;
  },
): Identification | Promise<Identification> {
  const { findings, authenticate } = options;
  for (const [index, way] of ways.entries()) {
    try {
      const found = authenticate(way);
      if (found instanceof Promise) {
        return found
          .then(
            each => noteFound(findings, way, each),
            error => noteRefusal(findings, way, error),
          )
          .then(() => checkWays(ways.slice(index + 1), options));
      }
      noteFound(findings, way, found);
    } catch (error) {
      noteRefusal(findings, way, error);
    }
  }
  return conclude(findings);
}

function noteFound(
  findings: Findings,
  way: Way,
  found: Authenticated | undefined,
): void {
  if (found) {
    findings.first ??= found;
    findings.ways.push(way);
  }
}

function noteRefusal({ refusals }: Findings, way: Way, error: unknown): void {
  refusals.push({ place: way.authenticator.place, error });
}

function conclude({ refusals, ways, first }: Findings): Identification {
  const refusal = refusals.find(({ place }) =>
    ways.every(({ authenticator }) => authenticator.place !== place),
  );
  return refusal ? refuse(refusal.error) : accept(first, ways);
}
