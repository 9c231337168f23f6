import { ConflictError, NotFoundError } from '@slipway/service-kit';
import type { Author } from '../approval/transitions.ts';
import type {
  ChangeOutcome,
  ChangeRequests,
} from '../approval/ChangeRequests.ts';
import { carryOver } from '../flags/carryOver.ts';
import type { FlagAdmin } from '../flags/FlagAdmin.ts';
import {
  type Flag,
  type FlagSettings,
  settingsOf,
  withState,
} from '../model/Flag.ts';
import type { History } from '../storage/History.ts';

/**
 * Undoes one change of a flag, and leaves what was changed after it: every field gets the
 * value before the change where it still has the one after it.
 *
 * @returns the flag, or the change request where the environment is protected.
 * @throws NotFoundError for an event that is of no flag; ConflictError where the same has
 *   been changed since, and for the creation of a flag.
 */
export async function rollBack(
  id: number,
  author: Author,
  parts: {
    history: Pick<History, 'find'>;
    flags: FlagAdmin;
    requests: ChangeRequests;
  },
): Promise<ChangeOutcome> {
  const { history, flags, requests } = parts;
  const event = await history.find(id);
  const environment = event?.environment;
  if (!event?.type.startsWith('feature-') || !environment) {
    throw new NotFoundError(`Change ${id} not found`);
  }
  const { subject: name, type, before, after } = event;
  const { by } = author;
  switch (type) {
    case 'feature-archived':
      return { flag: await flags.revive(name, { by, environment }) };
    case 'feature-revived':
      return { flag: await flags.archive(name, { by, environment }) };
    default:
      if (!before || !after) {
        throw new ConflictError(
          `The creation of ${name} cannot be rolled back: archive the flag instead`,
        );
      }
      return requests.change(
        name,
        { environment },
        {
          author,
          edit: flag =>
            undo(flag, environment, {
              from: after as FlagSettings,
              to: before as FlagSettings,
            }),
        },
      );
  }
}

function undo(
  flag: Flag,
  environment: string,
  difference: { from: FlagSettings; to: FlagSettings },
): Flag {
  const { enabled, strategies, variants, ...traits } = {
    ...settingsOf(flag, environment),
    ...carryOver(difference, settingsOf(flag, environment)),
  };
  return withState({ ...flag, ...traits }, environment, {
    enabled,
    strategies,
    variants,
  });
}
