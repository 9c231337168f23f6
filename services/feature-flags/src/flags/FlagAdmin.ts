import { isDeepStrictEqual } from 'node:util';
import { ConflictError, NotFoundError } from '@slipway/service-kit';
import { type Flag, type FlagSettings, stateOf } from '../model/Flag.ts';
import type { NoticeEvent } from '../model/Notice.ts';
import type { FlagEventType, FlagStore } from '../storage/FlagStore.ts';
import { checkState, type LegalValues } from './checkRules.ts';
import { changeState, giveIds, type SentStrategy } from './flagEdits.ts';
import { assertUnchanged, isSame } from './preconditions.ts';
import { assertUnprotected } from './protection.ts';

/** Settings as people send them. */
export type SentSettings = Omit<FlagSettings, 'strategies'> & {
  readonly strategies: SentStrategy[];
};

/** A flag that is to be created. */
export interface NewFlag extends SentSettings {
  readonly name: string;
  readonly project: string;
}

/** The author, environment and known state of an edit. */
export interface EditContext {
  readonly by: string;
  readonly environment: string;
  /** The project that the flag must be in; any when left out. */
  readonly project?: string;
  /** The `If-Match` of the request: the edit is refused where the flag is another by now. */
  readonly ifMatch?: string;
  /** True for an edit that may change protected environments. */
  readonly isApproved?: boolean;
  /** The event whose notice includes the edit. */
  readonly includedIn?: NoticeEvent;
}

interface FlagAdminOptions {
  flags: FlagStore;
  /** Reads the values that context fields may have, of those that list them. */
  legalValues: () => Promise<LegalValues>;
  /** Lists the environments that change by approval alone. */
  protectedEnvironments: () => Promise<readonly string[]>;
  /** Makes sure that there is a project. */
  ensureProject: (id: string, by: string) => Promise<void>;
  now: () => number;
  /** Has this process follow what was written. */
  changed: () => Promise<void>;
}

/** Changes flags. Each method resolves once it is on disk and seen by clients here. */
export class FlagAdmin {
  readonly #options: FlagAdminOptions;

  constructor(options: FlagAdminOptions) {
    this.#options = options;
  }

  list(query: { archived: boolean; project?: string }): Promise<Flag[]> {
    return this.#options.flags.list(query);
  }

  /**
   * Reads a flag, an archived one too.
   *
   * @throws NotFoundError, also for a flag of another project than the one named.
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
   * @throws InvalidRequestError when a rule would mean something else to SDKs.
   * @throws ConflictError when the name is taken, by an archived flag too: clients may
   *   still ask for that one.
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
    await this.#options.changed();
    return created;
  }

  /**
   * Changes what is given and keeps the rest; what is so already makes no history.
   *
   * @throws NotFoundError when there is no such flag in use.
   * @throws InvalidRequestError when a rule would mean something else to SDKs.
   * @throws PreconditionFailedError when the flag is not as the caller has seen it.
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
   * Changes a flag in use by a function of what it is, which may throw.
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
   * Tells what an edit would make of a flag, and changes nothing.
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
    checkStates(before, after, legalValues);
    return { before, after };
  }

  /** Takes a flag away from clients; its history and its name stay. @throws NotFoundError */
  async archive(name: string, context: EditContext): Promise<Flag> {
    return this.#change(name, context, {
      type: 'feature-archived',
      apply: flag => ({
        ...flag,
        archivedAt: flag.archivedAt ?? this.#options.now(),
      }),
    });
  }

  /** Takes a flag out of the archive, off in every environment. @throws NotFoundError */
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
    const { type, apply } = change;
    const legalValues = await this.#options.legalValues();
    const guarded = isApproved
      ? []
      : await this.#options.protectedEnvironments();
    const changed = await this.#options.flags.transaction(async trx => {
      const before = (await trx.find(name)) ?? fail(name);
      if (project !== undefined && before.project !== project) {
        fail(name);
      }
      assertUnchanged(before, context);
      const after = { ...apply(before), updatedAt: this.#options.now() };
      if (isSame(before, after)) {
        return before;
      }
      assertUnprotected(before, after, guarded);
      checkStates(before, after, legalValues);
      return trx.save({ type, before, after, environment, by, includedIn });
    });
    await this.#options.changed();
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
