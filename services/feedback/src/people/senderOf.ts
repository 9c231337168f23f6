import type { Caller } from '@slipway/service-kit';
import type { Sender } from '../feedback/Feedback.ts';
import type { Profiles } from './Profiles.ts';

/** What a submission says of its sender. */
export interface ClaimedUser {
  name?: string;
  email?: string;
  anonymous?: boolean;
}

const NOBODY: Sender = {
  author: null,
  name: null,
  email: null,
  anonymous: true,
};

/**
 * Who sends: nobody where that is asked for, else the user of the session, by the
 * catalog's name, else whoever the submission says, which makes nobody an author.
 */
export async function senderOf(
  caller: Caller,
  claimed: ClaimedUser = {},
  profiles: Profiles,
): Promise<Sender> {
  if (claimed.anonymous) {
    return NOBODY;
  }
  if (caller.kind === 'user') {
    const { name, email } = await profiles.of(caller.id);
    return { author: caller.id, name, email, anonymous: false };
  }
  return {
    author: null,
    name: claimed.name ?? null,
    email: claimed.email ?? null,
    anonymous: false,
  };
}
