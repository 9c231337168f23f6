import {
  type Access,
  type Caller,
  ForbiddenError,
  isMemberOf,
  type ServiceApp,
} from '@slipway/service-kit';
import type { FeedbackKit } from './config.ts';
import type { Feedback } from './feedback/Feedback.ts';

/** The rules of who may ask which route. */
export interface FeedbackAccess {
  /** Everybody; the caller is known where there is a session. */
  readonly submit: Access;
  /** A user of the portal. */
  readonly session: Access;
  /** Admins, who triage. */
  readonly admin: Access;
  /** The automation's key, and admins. */
  readonly automate: Access;
  /** Integrations that speak to the bot, and users. */
  readonly chat: Access;
  /** Records and statistics, as `auth.reads` says. */
  readonly read: Access;
  readonly anyone: Access;
  /** Tells whether a caller triages. */
  isAdmin(caller: Caller): Promise<boolean>;
  /**
   * Tells which senders' words a caller sees, wherever they stand: their own, and those of
   * all senders where the caller triages.
   *
   * @returns a check of a record's author, null where it has none.
   */
  readsTextOf(caller: Caller): Promise<(author: string | null) => boolean>;
  /** @throws ForbiddenError when a record is neither the caller's nor the caller an admin. */
  assertMayRead(caller: Caller, feedback: Feedback): Promise<void>;
}

/** Reads the rules from the configuration. */
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
  // A key proves nobody's session, yet a wrong one is refused wherever it is sent.
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

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses writes that a page of another origin makes, with or without a session: an
 * anonymous submission needs none, and no other site has to make them.
 *
 * @param origins - the portal's: of its pages and of its API.
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
