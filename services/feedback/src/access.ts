import {
  type Access,
  type Caller,
  ForbiddenError,
  isMemberOf,
  type ServiceApp,
} from '@slipway/service-kit';
import type { FeedbackKit } from './config.ts';
import type { Feedback } from './feedback/Feedback.ts';

/** The permissions that routes require. */
export interface FeedbackAccess {
  /** Everyone; the caller is identified if there is a session. */
  readonly submit: Access;
  /** A user of the portal. */
  readonly session: Access;
  /** Admins, who triage. */
  readonly admin: Access;
  /** The automation's key, and admins. */
  readonly automate: Access;
  /** Integrations that talk to the bot, and users. */
  readonly chat: Access;
  /** Access to records and statistics, as set by `auth.reads`. */
  readonly read: Access;
  readonly anyone: Access;
  /** Checks whether a caller may triage. */
  isAdmin(caller: Caller): Promise<boolean>;
  /**
   * Determines whose messages a caller may read: only the caller's own, or those of all senders if
   * the caller may triage.
   *
   * @returns a function that checks the author of a record, null if it has none.
   */
  readsTextOf(caller: Caller): Promise<(author: string | null) => boolean>;
  /**
   * Checks whether a caller may read a record with its message.
   *
   * @throws ForbiddenError if reads require a session, the record is not the caller's, and the
   *   caller is not an admin.
   */
  assertMayRead(caller: Caller, feedback: Feedback): Promise<void>;
}

/** Creates the access rules from the configuration. */
export function accessOf({
  auth,
  config,
  isProduction,
}: FeedbackKit): FeedbackAccess {
  const reads = config.auth.reads ?? (isProduction ? 'required' : 'open');
  const isOpen = reads === 'open';
  const isAdmin = (caller: Caller) => isMemberOf(caller, config.admins);
  const readsTextOf = async (caller: Caller) => {
    const isAdminCaller = await isAdmin(caller);
    return (author: string | null) =>
      isAdminCaller || (caller.kind === 'user' && author === caller.id);
  };
  const admin = auth.admin(config.admins);
  // A key does not replace a session, but an invalid one is always rejected.
  const key = auth.apiKey({ optional: true });
  return {
    submit: auth.anyOf(auth.portalUser({ optional: true }), key),
    session: auth.portalUser(),
    admin,
    automate: auth.anyOf(auth.apiKey(), admin),
    chat: auth.anyOf(auth.apiKey(), auth.portalUser()),
    read: isOpen
      ? auth.anyOf(auth.portalUser({ optional: true }), key)
      : auth.anyOf(
          auth.portalUser(),
          auth.permit(auth.apiKey(), () => false),
        ),
    anyone: auth.anyone,
    isAdmin,
    readsTextOf,
    async assertMayRead(caller, { sender }) {
      if (!isOpen && !(await readsTextOf(caller))(sender.author)) {
        throw new ForbiddenError();
      }
    },
  };
}

/**
 * Returns the entity reference of a caller who is a user of the portal.
 *
 * @throws ForbiddenError if it is not a user.
 */
export function userOf(caller: Caller): string {
  if (caller.kind !== 'user') {
    throw new ForbiddenError();
  }
  return caller.id;
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Rejects writes from pages of another origin, even without a session: anonymous submissions need
 * none, and no other site has a reason to send them.
 *
 * @param origins - the origins of the portal's pages and of its API.
 */
export function refuseForeignWrites(
  app: ServiceApp,
  origins: readonly string[],
): void {
  app.addHook('onRequest', async request => {
    const { origin } = request.headers;
    if (
      !READS.has(request.method) &&
      origin !== undefined &&
      !origins.includes(origin)
    ) {
      throw new ForbiddenError('Writes from another origin are refused');
    }
  });
}
