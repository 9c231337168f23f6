import { isDeepStrictEqual } from 'node:util';
import { ConflictError } from '@slipway/service-kit';
import { carryOver } from '../flags/carryOver.ts';
import type { EditContext, FlagAdmin } from '../flags/FlagAdmin.ts';
import type { ChangeRequest, WantedChange } from '../model/ChangeRequest.ts';
import { type Flag, stateOf, withState } from '../model/Flag.ts';
import type { SchedulePlan } from '../model/Schedule.ts';
import type { Place } from '../schedules/Schedules.ts';
import type { ChangeRequestStore } from '../storage/ChangeRequestStore.ts';
import { type Author, cancel } from './transitions.ts';

/** The flag if the change was made immediately, or the request that was created for it. */
export type ChangeOutcome =
  | { readonly flag: Flag; readonly request?: undefined }
  | { readonly flag?: undefined; readonly request: ChangeRequest };

interface ProposalOptions {
  requests: ChangeRequestStore;
  flags: Pick<FlagAdmin, 'preview'>;
  now: () => number;
  /** Called after each commit; refreshes the state in memory. */
  onChanged: () => Promise<void>;
}

/** Requests changes in protected environments; an author has one request in review per flag. */
export class Proposals {
  readonly #options: ProposalOptions;

  constructor(options: ProposalOptions) {
    this.#options = options;
  }

  /**
   * Requests a change, or adds it to the author's request in review.
   *
   * @throws the errors of `FlagAdmin.preview`.
   */
  async change(
    name: string,
    context: Omit<EditContext, 'by'>,
    wanted: { author: Author; edit: (flag: Flag) => Flag },
  ): Promise<ChangeOutcome> {
    for (;;) {
      const outcome = await this.#try(name, context, wanted);
      if (outcome) {
        return outcome;
      }
    }
  }

  /** Requests a schedule. */
  async schedule(
    place: Place,
    plan: SchedulePlan,
    author: Author,
  ): Promise<ChangeRequest> {
    const { requests, onChanged } = this.#options;
    const request = this.#newRequest(place, { kind: 'schedule', plan }, author);
    const proposed = await requests.transaction(trx =>
      trx.insert(request, { what: 'created', by: author.by }),
    );
    await onChanged();
    return proposed;
  }

  /**
   * Makes one attempt to propose an edit.
   *
   * @returns undefined if the author's request in review has changed in the meantime.
   */
  async #try(
    name: string,
    context: Omit<EditContext, 'by'>,
    { author, edit }: { author: Author; edit: (flag: Flag) => Flag },
  ): Promise<ChangeOutcome | undefined> {
    const { environment } = context;
    const place = { flag: name, environment };
    const seen = await this.#inReview(place, author);
    let joins = false as boolean;
    const { before, after } = await this.#options.flags.preview(
      name,
      context,
      flag => {
        // A change added to a request that can no longer be applied could not be applied either.
        const pending = seen && changedOrUndefined(flag, seen);
        joins = pending !== undefined;
        return edit(pending ?? flag);
      },
    );
    const [from, to] = [before, after].map(flag => stateOf(flag, environment));
    const change = { kind: 'state', from, to } as const;
    if (seen && joins && isDeepStrictEqual(seen.change, change)) {
      return { request: seen };
    }
    const isEmpty = isDeepStrictEqual(from, to);
    if (isEmpty && !joins) {
      return { flag: before };
    }
    const joining = isEmpty ? 'cancelled' : 'updated';
    const request = await this.#propose(place, change, {
      author,
      seen,
      what: joins ? joining : 'created',
    });
    return request && (isEmpty ? { flag: before } : { request });
  }

  /** Finds the request in review that an author's next change joins. */
  async #inReview(
    place: Place,
    { by }: Author,
    requests: Pick<ChangeRequestStore, 'list'> = this.#options.requests,
  ): Promise<ChangeRequest | undefined> {
    const open = await requests.list({
      ...place,
      states: ['In review'],
      limit: 100,
    });
    return open.find(
      ({ createdBy, change }) => createdBy === by && change.kind === 'state',
    );
  }

  /**
   * Creates a request, or updates or cancels the author's request in review.
   *
   * @returns undefined if that request has changed since it was read: overwriting it would lose what
   *   was added in the meantime.
   */
  async #propose(
    place: Place,
    change: WantedChange,
    options: {
      author: Author;
      seen: ChangeRequest | undefined;
      what: 'created' | 'updated' | 'cancelled';
    },
  ): Promise<ChangeRequest | undefined> {
    const { requests, now, onChanged } = this.#options;
    const { author, seen, what } = options;
    const event = { what, by: author.by };
    const proposed = await requests.transaction(async trx => {
      const before = await this.#inReview(place, author, trx);
      if (
        before?.id !== seen?.id ||
        !isDeepStrictEqual(before?.change, seen?.change)
      ) {
        return undefined;
      }
      if (!before || what === 'created') {
        return trx.insert(this.#newRequest(place, change, author), event);
      }
      const updatedAt = now();
      if (what === 'cancelled') {
        const ended = cancel(before, { author, now: updatedAt });
        return trx.update({ ...ended, updatedAt }, event);
      }
      // Approvals of the previous version no longer count.
      const reviews = before.reviews.filter(
        ({ verdict }) => verdict === 'comment',
      );
      return trx.update({ ...before, change, reviews, updatedAt }, event);
    });
    await onChanged();
    return proposed;
  }

  #newRequest(
    place: Place,
    change: WantedChange,
    { by, principals }: Author,
  ): Omit<ChangeRequest, 'id'> {
    const now = this.#options.now();
    return {
      ...place,
      change,
      state: 'In review',
      createdBy: by,
      authors: [...new Set([by, ...principals])],
      reviews: [],
      createdAt: now,
      updatedAt: now,
      scheduledAt: null,
      endedBy: null,
    };
  }
}

/** Returns a flag with the requested change. @throws ConflictError if others have changed the same fields. */
export function withChange(
  flag: Flag,
  { environment, change }: Pick<ChangeRequest, 'environment' | 'change'>,
): Flag {
  return change.kind === 'state'
    ? withState(
        flag,
        environment,
        carryOver(change, stateOf(flag, environment)),
      )
    : flag;
}

/** Returns a flag with the requested change; undefined if others have changed the same fields. */
function changedOrUndefined(
  flag: Flag,
  request: ChangeRequest,
): Flag | undefined {
  try {
    return withChange(flag, request);
  } catch (error) {
    if (error instanceof ConflictError) {
      return undefined;
    }
    throw error;
  }
}
