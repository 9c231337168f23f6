import { createHash } from 'node:crypto';
import {
  AuthService,
  BackstageCredentials,
  HttpAuthService,
} from '@backstage/backend-plugin-api';
import { ipKeyGenerator } from 'express-rate-limit';
import { Request } from 'express';
import { ExternalSubjects } from './ExternalSubjects';
import { LimitOptions } from './LimitOptions';
import { Budget } from './RateLimits';

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
    perMinute: LimitOptions['perMinute'];
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
  options: { perMinute: LimitOptions['perMinute']; subjects: ExternalSubjects },
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
export function addressBudget(
  req: Request,
  perMinute: LimitOptions['perMinute'],
): Budget {
  const address = req.ip ? ipKeyGenerator(req.ip) : 'unknown';
  return { key: `address:${address}`, perMinute: perMinute.anonymous };
}
