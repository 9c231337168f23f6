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
  /** @throws ForbiddenError when a record is neither the caller's nor the caller an admin. */
  assertMayRead(caller: Caller, feedback: Feedback): Promise<void>;
}

/** The access of the configuration. */
export function accessOf({ auth, config, isProduction }: Kit): FeedbackAccess {
  const reads = config.auth.reads ?? (isProduction ? 'required' : 'open');
  const isOpen = reads === 'open';
  const isAdmin = (caller: Caller) => isMemberOf(caller, config.admins);
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
    async assertMayRead(caller, feedback) {
      const isOwn =
        caller.kind === 'user' && feedback.sender.author === caller.id;
      if (!isOpen && !isOwn && !(await isAdmin(caller))) {
        throw new ForbiddenError();
      }
    },
  };
}
