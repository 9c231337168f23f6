import { isDeepStrictEqual } from 'node:util';
import {
  ConflictError,
  NotFoundError,
  type Transaction,
} from '@slipway/service-kit';
import { type Flag, type FlagSettings, stateOf } from '../model/Flag.ts';
import type { NoticeEvent } from '../model/Notice.ts';
import type { LegalValues } from '../model/Registers.ts';
import type { FlagEventType, FlagStore } from '../storage/FlagStore.ts';
import { checkState } from './checkRules.ts';
import { changeState, giveIds, type SentStrategy } from './flagEdits.ts';
import { assertWithinLimits } from './flagLimits.ts';
import { assertUnchanged, isSame } from './preconditions.ts';
import { assertUnprotected } from './protection.ts';

/** Settings as sent in a request. */
export type SentSettings = Omit<FlagSettings, 'strategies'> & {
  readonly strategies: SentStrategy[];
};

/** A flag to create. */
export interface NewFlag extends SentSettings {
  readonly name: string;
  readonly project: string;
}

/** The author and environment of an edit, and its preconditions. */
export interface EditContext {
  readonly by: string;
  readonly environment: string;
  /** The project that the flag must be in; any by default. */
  readonly project?: string;
  /** The `If-Match` of the request: the edit is rejected if the flag has changed. */
  readonly ifMatch?: string;
  /** True if the edit may change protected environments. */
  readonly isApproved?: boolean;
  /** An event whose notice already covers the edit. */
  readonly includedIn?: NoticeEvent;
  /** Makes further writes in the transaction of the edit, which is rolled back if it throws. */
  readonly alsoWrite?: (trx: Transaction) => Promise<void>;
}

interface FlagAdminOptions {
  flags: FlagStore;
  /** Reads the legal values of context fields that have some. */
  legalValues: () => Promise<LegalValues>;
  /** Lists the environments in which changes need approval. */
  protectedEnvironments: () => Promise<readonly string[]>;
  /** Creates a project if it does not exist. */
  ensureProject: (id: string, by: string) => Promise<void>;
  now: () => number;
  /** Called after each commit; refreshes the state in memory. */
  onChanged: () => Promise<void>;
}

/** Changes flags. Methods resolve once the change is committed and visible to clients of this process. */
export class FlagAdmin {
  readonly #options: FlagAdminOptions;

  constructor(options: FlagAdminOptions) {
    this.#options = options;
  }

  list(query: { archived: boolean; project?: string }): Promise<Flag[]> {
    return this.#options.flags.list(query);
  }

  /**
   * Returns a flag, which may be archived.
   *
   * @throws NotFoundError, also if the flag is in another project.
   */
  async get(name: string, project?: string): Promise<Flag> {
    const flag = await this.#options.flags.find(name);
    return flag && (project === undefined || flag.project === project)
      ? flag
      : fail(name);
  }

  /**
   * Creates a flag with its settings in one environment; it is off in the others.
   *
   * @throws InvalidRequestError if SDKs would misinterpret a rule.
   * @throws ConflictError if the name is taken, even by an archived flag, which clients may still
   *   request.
   */
  async create(
    sent: NewFlag,
    { by, environment }: Pick<EditContext, 'by' | 'environment'>,
  ): Promise<Flag> {
    const { name, project, enabled, strategies, variants, ...traits } = sent;
    const now = this.#options.now();
    const flag: Flag = {
      name,
      project,
      ...traits,
      createdAt: now,
      updatedAt: now,
      archivedAt: null,
      states: {
        [environment]: {
          enabled,
          strategies: giveIds(strategies, []),
          variants,
        },
      },
      revisions: { latest: 0, shared: 0, states: {} },
    };
    checkState(stateOf(flag, environment), {
      legalValues: await this.#options.legalValues(),
    });
    await this.#options.ensureProject(project, by);
    const created = await this.#options.flags.transaction(async trx => {
      const taken = await trx.find(name);
      if (taken) {
        throw new ConflictError(
          taken.archivedAt === null
            ? `A flag with the name ${name} exists`
            : `An archived flag has the name ${name}; revive it or choose another name`,
          { field: 'name', constraint: 'unique' },
        );
      }
      return trx.save({
        type: 'feature-created',
        before: undefined,
        after: flag,
        environment,
        by,
      });
    });
    await this.#options.onChanged();
    return created;
  }

  /**
   * Changes the given settings; a change without effect is not recorded.
   *
   * @throws NotFoundError if the flag does not exist or is archived.
   * @throws InvalidRequestError if SDKs would misinterpret a rule.
   * @throws PreconditionFailedError if the flag has changed since the caller read it.
   */
  async update(
    name: string,
    changes: Partial<SentSettings>,
    context: EditContext,
  ): Promise<Flag> {
    const { enabled, strategies, variants, ...traits } = changes;
    return this.edit(name, context, flag =>
      changeState({ ...flag, ...traits }, context.environment, {
        enabled,
        strategies,
        variants,
      }),
    );
  }

  /**
   * Applies a function to a flag in use and saves the result; nothing is saved if the function throws.
   *
   * @throws NotFoundError, PreconditionFailedError or InvalidRequestError, as `update` does.
   */
  async edit(
    name: string,
    context: EditContext,
    apply: (flag: Flag) => Flag,
  ): Promise<Flag> {
    return this.#change(name, context, {
      type: 'feature-updated',
      apply: flag => (flag.archivedAt === null ? apply(flag) : fail(name)),
    });
  }

  /**
   * Returns the result of an edit without saving it.
   *
   * @throws NotFoundError, PreconditionFailedError or InvalidRequestError, as `edit` does.
   */
  async preview(
    name: string,
    context: Omit<EditContext, 'by'>,
    apply: (flag: Flag) => Flag,
  ): Promise<{ before: Flag; after: Flag }> {
    const legalValues = await this.#options.legalValues();
    const before = await this.get(name, context.project);
    if (before.archivedAt !== null) {
      fail(name);
    }
    assertUnchanged(before, context);
    const after = apply(before);
    assertWithinLimits(before, after);
    checkStates(before, after, legalValues);
    return { before, after };
  }

  /** Archives a flag: clients no longer get it; its name and history are kept. @throws NotFoundError */
  async archive(name: string, context: EditContext): Promise<Flag> {
    return this.#change(name, context, {
      type: 'feature-archived',
      apply: flag => ({
        ...flag,
        archivedAt: flag.archivedAt ?? this.#options.now(),
      }),
    });
  }

  /** Restores a flag from the archive, off in every environment. @throws NotFoundError */
  async revive(name: string, context: EditContext): Promise<Flag> {
    return this.#change(name, context, {
      type: 'feature-revived',
      apply: flag =>
        flag.archivedAt === null
          ? flag
          : {
              ...flag,
              archivedAt: null,
              states: Object.fromEntries(
                Object.entries(flag.states).map(([environment, state]) => [
                  environment,
                  { ...state, enabled: false },
                ]),
              ),
            },
    });
  }

  async #change(
    name: string,
    context: EditContext,
    change: { type: FlagEventType; apply: (flag: Flag) => Flag },
  ): Promise<Flag> {
    const { by, environment, project, isApproved, includedIn } = context;
    const { alsoWrite } = context;
    const { type, apply } = change;
    const legalValues = await this.#options.legalValues();
    const guarded = isApproved
      ? []
      : await this.#options.protectedEnvironments();
    const changed = await this.#options.flags.transaction(
      async (flags, trx) => {
        const before = (await flags.find(name)) ?? fail(name);
        if (project !== undefined && before.project !== project) {
          fail(name);
        }
        assertUnchanged(before, context);
        const after = { ...apply(before), updatedAt: this.#options.now() };
        if (isSame(before, after)) {
          await alsoWrite?.(trx);
          return before;
        }
        assertUnprotected(before, after, guarded);
        assertWithinLimits(before, after);
        checkStates(before, after, legalValues);
        const saved = await flags.save({
          type,
          before,
          after,
          environment,
          by,
          includedIn,
        });
        await alsoWrite?.(trx);
        return saved;
      },
    );
    await this.#options.onChanged();
    return changed;
  }
}

function checkStates(
  before: Flag,
  after: Flag,
  legalValues: LegalValues,
): void {
  for (const [each, state] of Object.entries(after.states)) {
    if (!isDeepStrictEqual(stateOf(before, each), state)) {
      checkState(state, { before: stateOf(before, each), legalValues });
    }
  }
}

function fail(name: string): never {
  throw new NotFoundError(`Flag ${name} not found`);
}
