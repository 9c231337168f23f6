import { ConflictError, NotFoundError } from '@slipway/service-kit';
import type { Author } from '../approval/transitions.ts';
import type { ChangeRequests } from '../approval/ChangeRequests.ts';
import type { ChangeOutcome } from '../approval/Proposals.ts';
import { carryOver, type Difference } from '../flags/carryOver.ts';
import type { FlagAdmin } from '../flags/FlagAdmin.ts';
import { assertUnprotected } from '../flags/protection.ts';
import {
  type Flag,
  type FlagSettings,
  settingsOf,
  withState,
} from '../model/Flag.ts';
import type { Environments } from '../registers/registers.ts';
import type { History, HistoryEvent } from '../storage/History.ts';

/** The settings that an event records, and the project if the flag was moved. */
type RecordedSettings = FlagSettings & { readonly project?: string };

interface Parts {
  history: Pick<History, 'find'>;
  flags: FlagAdmin;
  requests: ChangeRequests;
  environments: Pick<Environments, 'get' | 'list'>;
}

/** Returns the project to which rolling back an event would move its flag; undefined for other changes. */
export function projectBefore({
  type,
  before,
}: HistoryEvent): string | undefined {
  return type === 'feature-updated'
    ? (before as RecordedSettings | null)?.project
    : undefined;
}

/**
 * Rolls back one change of a flag and keeps later changes: every field that still has the value
 * after the change gets the value before it.
 *
 * @returns the flag, or the change request if the environment is protected.
 * @throws NotFoundError if the event is not about a flag; ConflictError if the same fields have
 *   changed since, and for the creation of a flag; ForbiddenError if the change moved the flag or
 *   changed its dependencies, and it is on in a protected environment. Nothing is rolled back then.
 */
export async function rollBack(
  id: number,
  author: Author,
  parts: Parts,
): Promise<ChangeOutcome> {
  const { history, flags } = parts;
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
      return rollBackUpdate(
        { name, environment },
        { from: after as RecordedSettings, to: before as RecordedSettings },
        { author, ...parts },
      );
  }
}

async function rollBackUpdate(
  { name, environment }: { name: string; environment: string },
  difference: Difference<RecordedSettings>,
  parts: Pick<Parts, 'flags' | 'requests' | 'environments'> & {
    author: Author;
  },
): Promise<ChangeOutcome> {
  const { flags, requests, environments, author } = parts;
  const change = () =>
    requests.change(
      name,
      { environment },
      { author, edit: flag => undo(flag, environment, difference) },
    );
  if (!(await environments.get(environment)).protected) {
    return change();
  }
  // A change request only contains the state; the other settings need no approval.
  const undoTraits = (flag: Flag) =>
    undo(flag, environment, {
      from: withoutState(difference.from),
      to: withoutState(difference.to),
    });
  const { before, after } = await flags.preview(
    name,
    { environment },
    undoTraits,
  );
  const guarded = (await environments.list()).filter(each => each.protected);
  assertUnprotected(
    before,
    after,
    guarded.map(each => each.name),
  );
  // First the part that may be rejected: a change request alters nothing until it is approved.
  const outcome = await change();
  const context = { by: author.by, environment };
  const flag = await flags.edit(name, context, undoTraits);
  return outcome.request ? outcome : { flag };
}

function undo(
  flag: Flag,
  environment: string,
  difference: Difference<Partial<RecordedSettings>>,
): Flag {
  const now = { ...settingsOf(flag, environment), project: flag.project };
  const { enabled, strategies, variants, ...traits } = {
    ...now,
    ...carryOver<Partial<RecordedSettings>>(difference, now),
  };
  return withState({ ...flag, ...traits }, environment, {
    enabled,
    strategies,
    variants,
  });
}

function withoutState(settings: RecordedSettings): Partial<RecordedSettings> {
  const {
    enabled: _on,
    strategies: _rules,
    variants: _all,
    ...traits
  } = settings;
  return traits;
}
