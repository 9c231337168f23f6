import {
  type Access,
  type Caller,
  type CommonConfig,
  ForbiddenError,
  isMemberOf,
  type ServiceKit,
} from '@slipway/service-kit';
import type { FeedbackConfig } from './config.ts';
import type { Feedback } from './feedback/Feedback.ts';

type Kit = ServiceKit<FeedbackConfig & CommonConfig>;

/** Who may do what. */
export interface FeedbackAccess {
  /** Anybody; known where there is a session. */
  readonly submit: Access;
  /** A user of the portal. */
  readonly session: Access;
  /** Who triages. */
  readonly admin: Access;
  /** The automation's key, or who triages. */
  readonly automate: Access;
  /** Integrations that speak to the bot, or users. */
  readonly chat: Access;
  /** Records and statistics, as `auth.reads` says. */
  readonly read: Access;
  readonly anyone: Access;
  /** Whether somebody triages. */
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

/** The access of the configuration. */
export function accessOf({ auth, config, isProduction }: Kit): FeedbackAccess {
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
