import { createHash } from 'node:crypto';
import {
  AuthService,
  BackstageCredentials,
  HttpAuthService,
} from '@backstage/backend-plugin-api';
import { Config } from '@backstage/config';
import { Request } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';

/** Requests per minute, by kind of caller. */
export interface MinuteLimits {
  /** The limit of a user. */
  user: number;
  /** The limit of a service token. */
  service: number;
  /** The limit of an address without a valid credential. */
  anonymous: number;
}

/** A key under which requests are counted, and its limit per minute. */
export interface Budget {
  key: string;
  perMinute: number;
}

interface Issuer {
  /** An empty list matches any name. */
  names: string[];
  prefix: string;
}

/**
 * Determines the subject of a service token that Backstage considers valid but has rejected without
 * naming its subject: from `backend.auth.externalAccess`, in the same way as Backstage. Verifies
 * nothing.
 */
export class ExternalSubjects {
  readonly #byToken: ReadonlyMap<string, string>;
  readonly #issuers: readonly Issuer[];

  constructor(config: Config) {
    const accesses =
      config.getOptionalConfigArray('backend.auth.externalAccess') ?? [];
    const optionsOf = (type: string) =>
      accesses
        .filter(access => access.getString('type') === type)
        .map(access => access.getConfig('options'));
    this.#byToken = new Map(
      optionsOf('static').map(options => [
        options.getString('token'),
        options.getString('subject'),
      ]),
    );
    this.#issuers = optionsOf('jwks').map(options => {
      const prefix = options.getOptionalString('subjectPrefix');
      return {
        names: [options.getOptional<string | string[]>('issuer') ?? []].flat(),
        prefix: prefix ? `external:${prefix}:` : 'external:',
      };
    });
  }

  /** Finds the subject of a token. @returns undefined if this kind of token has none. */
  subjectOf(token: string): string | undefined {
    const subject = this.#byToken.get(token);
    if (subject) {
      return subject;
    }
    const { iss, sub } = claimsOf(token);
    const issuer = this.#issuers.find(
      ({ names }) => names.length === 0 || names.includes(String(iss)),
    );
    return issuer && typeof sub === 'string'
      ? `${issuer.prefix}${sub}`
      : undefined;
  }
}

/** Returns the payload of a JWT (RFC 7519); empty if it is malformed. */
function claimsOf(token: string): { iss?: unknown; sub?: unknown } {
  try {
    const [, payload] = token.split('.');
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) ?? {};
  } catch {
    return {};
  }
}

/** The prefix by which Backstage identifies plugins of this portal. */
export const PLUGIN_SUBJECT_PREFIX = 'plugin:';

/**
 * Returns the budget that a request counts against: of its user, of its service token, or of its
 * address if it has no valid credential. The key does not depend on the plugin, so plugins share
 * one budget.
 *
 * @returns undefined for calls between plugins, including those on behalf of a user.
 */
export async function budgetOf(
  req: Request,
  options: {
    auth: AuthService;
    httpAuth: HttpAuthService;
    perMinute: MinuteLimits;
    subjects: ExternalSubjects;
  },
): Promise<Budget | undefined> {
  const { auth, httpAuth, perMinute } = options;
  let credentials: BackstageCredentials;
  try {
    credentials = await httpAuth.credentials(req);
  } catch (error) {
    return refusedBudget(req, error, options);
  }
  if (auth.isPrincipal(credentials, 'user')) {
    const { actor, userEntityRef } = credentials.principal;
    return actor
      ? undefined
      : { key: `user:${userEntityRef}`, perMinute: perMinute.user };
  }
  if (auth.isPrincipal(credentials, 'service')) {
    const { subject } = credentials.principal;
    return subject.startsWith(PLUGIN_SUBJECT_PREFIX)
      ? undefined
      : { key: `service:${subject}`, perMinute: perMinute.service };
  }
  return addressBudget(req, perMinute);
}

/**
 * Returns the budget of a rejected credential. A valid service token without access to this plugin
 * counts like an accepted one, or under its own key if its subject is unknown. Anything else may be a
 * guess and counts against the address.
 */
function refusedBudget(
  req: Request,
  error: unknown,
  options: { perMinute: MinuteLimits; subjects: ExternalSubjects },
): Budget {
  const { perMinute, subjects } = options;
  const restricted = error instanceof Error && error.name === 'NotAllowedError';
  if (!restricted) {
    return addressBudget(req, perMinute);
  }
  const [, token = ''] = (req.headers.authorization ?? '').split(/\s+/);
  const subject = subjects.subjectOf(token);
  const key = subject
    ? `service:${subject}`
    : `token:${createHash('sha256').update(token).digest('base64url')}`;
  return { key, perMinute: perMinute.service };
}

/**
 * Returns the budget of an address. IPv6 addresses count by network, since one caller controls all
 * addresses in it.
 */
export function addressBudget(req: Request, perMinute: MinuteLimits): Budget {
  const address = req.ip ? ipKeyGenerator(req.ip) : 'unknown';
  return { key: `address:${address}`, perMinute: perMinute.anonymous };
}
