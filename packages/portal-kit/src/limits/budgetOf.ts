import { createHash } from 'node:crypto';
import {
  AuthService,
  BackstageCredentials,
  HttpAuthService,
} from '@backstage/backend-plugin-api';
import { Config } from '@backstage/config';
import { Request } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';

/** The requests that a fixed minute may have, by who sends them. */
export interface MinuteLimits {
  /** The limit of one user. */
  user: number;
  /** The limit of one service token. */
  service: number;
  /** The limit of one address that shows no valid credential. */
  anonymous: number;
}

/** A key under which requests are counted together, and how many of them a minute may have. */
export interface Budget {
  key: string;
  perMinute: number;
}

interface Issuer {
  /** Empty: any. */
  names: string[];
  prefix: string;
}

/**
 * Tells the subject of a service token that Backstage has found valid and refused
 * all the same, which it does without saying whose it is: by `backend.auth.externalAccess`,
 * in the way that Backstage itself makes subjects. Nothing is verified here.
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

  /** @returns undefined when the token is of no kind that has a subject of its own. */
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

/** The payload of a JWT (RFC 7519); nothing for what is none. */
function claimsOf(token: string): { iss?: unknown; sub?: unknown } {
  try {
    const [, payload] = token.split('.');
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) ?? {};
  } catch {
    return {};
  }
}

/** The prefix by which Backstage marks the plugins of this very portal. */
export const PLUGIN_SUBJECT_PREFIX = 'plugin:';

/**
 * Says what a request counts against: its user, its service token, or the
 * address of whoever shows no valid credential. The key never depends on the
 * plugin that was asked, so one budget holds over all of them.
 *
 * @returns undefined for calls between plugins, those on behalf of a user included.
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
 * A service token that is valid, but not for this plugin, counts as it does where
 * it is allowed, and by itself where its subject cannot be told. Anything else may
 * be a guess, and guesses count against their address.
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

/** IPv6 addresses count by their network, since one caller has all addresses of one. */
export function addressBudget(req: Request, perMinute: MinuteLimits): Budget {
  const address = req.ip ? ipKeyGenerator(req.ip) : 'unknown';
  return { key: `address:${address}`, perMinute: perMinute.anonymous };
}
