import { NotFoundError, type Transaction } from '@slipway/service-kit';
import type { EditContext, FlagAdmin } from '../flags/FlagAdmin.ts';
import type { ChangeRequest } from '../model/ChangeRequest.ts';
import type { Flag } from '../model/Flag.ts';
import type { Environment } from '../model/Registers.ts';
import type { SchedulePlan } from '../model/Schedule.ts';
import { MovedOnError, type Place } from '../schedules/Schedules.ts';
import type {
  ChangeRequestQuery,
  ChangeRequestStore,
} from '../storage/ChangeRequestStore.ts';
import { type ChangeOutcome, Proposals, withChange } from './Proposals.ts';
import {
  approve,
  assertApplicable,
  type Author,
  cancel,
  comment,
  type ReviewAction,
  reject,
  scheduleAt,
} from './transitions.ts';

interface ChangeRequestOptions {
  requests: ChangeRequestStore;
  flags: FlagAdmin;
  environmentNamed: (name: string) => Promise<Environment>;
  /** Starts a schedule that has been approved. */
  startSchedule: (
    place: Place,
    plan: SchedulePlan,
    options: { by: string; alsoWrite: (trx: Transaction) => Promise<void> },
  ) => Promise<unknown>;
  now: () => number;
  /** Called after each commit; refreshes the state in memory. */
  onChanged: () => Promise<void>;
}

/** Changes flags in environments; in protected ones through change requests that others approve. */
export class ChangeRequests {
  readonly #options: ChangeRequestOptions;
  readonly #proposals: Proposals;

  constructor(options: ChangeRequestOptions) {
    this.#options = options;
    this.#proposals = new Proposals(options);
  }

  list(query: ChangeRequestQuery): Promise<ChangeRequest[]> {
    return this.#options.requests.list(query);
  }

  /** Returns a change request. @throws NotFoundError */
  async get(id: number): Promise<ChangeRequest> {
    return (await this.#options.requests.find(id)) ?? fail(id);
  }

  /**
   * Changes a flag in one environment: immediately, or through a change request if the environment is
   * protected. A further change by the same author is added to their request in review.
   *
   * @throws the errors of `FlagAdmin.edit`.
   */
  async change(
    name: string,
    context: Omit<EditContext, 'by'>,
    { author, edit }: { author: Author; edit: (flag: Flag) => Flag },
  ): Promise<ChangeOutcome> {
    const { flags, environmentNamed } = this.#options;
    const { environment } = context;
    if (!(await environmentNamed(environment)).protected) {
      return {
        flag: await flags.edit(name, { ...context, by: author.by }, edit),
      };
    }
    return this.#proposals.change(name, context, { author, edit });
  }

  /** Requests a schedule for a flag in a protected environment. */
  proposeSchedule(
    place: Place,
    plan: SchedulePlan,
    author: Author,
  ): Promise<ChangeRequest> {
    return this.#proposals.schedule(place, plan, author);
  }

  /**
   * Approves a request.
   *
   * @throws ForbiddenError for its authors and for tokens; ConflictError if it needs no approval.
   */
  async approve(
    id: number,
    author: Author,
    words?: string,
  ): Promise<ChangeRequest> {
    const { environment } = await this.get(id);
    const place = await this.#options.environmentNamed(environment);
    return this.#update(id, 'approved', this.#action(author, words), each =>
      approve(each, this.#action(author, words), place.requiredApprovals),
    );
  }

  /** Rejects a request. @throws ConflictError if it has ended. */
  reject(id: number, author: Author, words?: string): Promise<ChangeRequest> {
    return this.#update(id, 'rejected', this.#action(author, words), reject);
  }

  /** Cancels a request. @throws ConflictError if it has ended. */
  cancel(id: number, author: Author): Promise<ChangeRequest> {
    return this.#update(id, 'cancelled', this.#action(author), cancel);
  }

  comment(id: number, author: Author, words: string): Promise<ChangeRequest> {
    return this.#update(id, 'commented', this.#action(author, words), comment);
  }

  /** Schedules an approved request for a given time. @throws ConflictError, InvalidRequestError */
  schedule(id: number, author: Author, at: number): Promise<ChangeRequest> {
    const action = this.#action(author);
    return this.#update(id, 'scheduled', action, each =>
      scheduleAt(each, action, at),
    );
  }

  /**
   * Applies an approved request and records that in the same transaction, so that it is applied at most
   * once, and not at all if someone rejects or cancels it at the same time.
   *
   * @param options.dueBy - applies it only if it is still scheduled for this time or earlier.
   * @throws ConflictError if it is not approved, or the flag has changed in the same fields;
   *   MovedOnError if it is no longer due.
   */
  async apply(
    id: number,
    author: Author,
    { dueBy }: { dueBy?: number } = {},
  ): Promise<ChangeRequest> {
    const { flags, startSchedule, environmentNamed } = this.#options;
    const request = await this.get(id);
    const { flag: name, environment, change } = request;
    const place = await environmentNamed(environment);
    const required = place.protected ? place.requiredApprovals : undefined;
    assertApplicable(request, required);
    const { by } = author;
    const alsoWrite = (trx: Transaction) =>
      this.#end(trx, { id, by, required, dueBy });
    if (change.kind === 'state') {
      await flags.edit(
        name,
        {
          by,
          environment,
          isApproved: true,
          includedIn: 'change-request-applied',
          alsoWrite,
        },
        flag => withChange(flag, request),
      );
    } else {
      await startSchedule({ flag: name, environment }, change.plan, {
        by,
        alsoWrite,
      });
    }
    return this.get(id);
  }

  /** Records that a request was applied. @throws ConflictError, MovedOnError if it may no longer be applied. */
  async #end(
    trx: Transaction,
    options: {
      id: number;
      by: string;
      required: number | undefined;
      dueBy: number | undefined;
    },
  ): Promise<void> {
    const { requests, now } = this.#options;
    const { id, by, required, dueBy } = options;
    const records = requests.within(trx);
    const before = (await records.find(id)) ?? fail(id);
    if (dueBy !== undefined && (before.scheduledAt ?? Infinity) > dueBy) {
      throw new MovedOnError(`Change request ${id} is no longer due`);
    }
    assertApplicable(before, required);
    await records.update(
      {
        ...before,
        state: 'Applied',
        scheduledAt: null,
        endedBy: by,
        updatedAt: now(),
      },
      { what: 'applied', by },
    );
  }

  #action(author: Author, words?: string): ReviewAction {
    return { author, now: this.#options.now(), comment: words };
  }

  async #update(
    id: number,
    what: string,
    action: ReviewAction,
    edit: (request: ChangeRequest, action: ReviewAction) => ChangeRequest,
  ): Promise<ChangeRequest> {
    const { requests, onChanged } = this.#options;
    const updated = await requests.transaction(async trx => {
      const before = (await trx.find(id)) ?? fail(id);
      return trx.update(
        { ...edit(before, action), updatedAt: action.now },
        { what, by: action.author.by },
      );
    });
    await onChanged();
    return updated;
  }
}

function fail(id: number): never {
  throw new NotFoundError(`Change request ${id} not found`);
}
