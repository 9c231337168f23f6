import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  ConflictError,
  NotFoundError,
  PreconditionFailedError,
} from '@slipway/service-kit';
import {
  type Flag,
  type FlagSettings,
  revisionOf,
  type Strategy,
  stateOf,
  traitsOf,
  withState,
} from '../model/Flag.ts';
import type { FlagEventType, FlagStore } from '../storage/FlagStore.ts';
import { checkState, type LegalValues } from './checkRules.ts';

/** A strategy as people send it; one without an id is a new one, or that in its place. */
export type SentStrategy = Omit<Strategy, 'id'> & { readonly id?: string };

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
}

interface FlagAdminOptions {
  flags: FlagStore;
  /** Reads the values that context fields may have, of those that list them. */
  legalValues: () => Promise<LegalValues>;
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
    const given = { enabled, variants };
    return this.edit(name, context, flag => {
      const before = stateOf(flag, context.environment);
      return withState({ ...flag, ...traits }, context.environment, {
        ...withoutUndefined(given),
        ...(strategies && {
          strategies: giveIds(strategies, before.strategies),
        }),
      });
    });
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
    const { by, environment, project, ifMatch } = context;
    const { type, apply } = change;
    const legalValues = await this.#options.legalValues();
    const changed = await this.#options.flags.transaction(async trx => {
      const before = (await trx.find(name)) ?? fail(name);
      if (project !== undefined && before.project !== project) {
        fail(name);
      }
      assertUnchanged(before, { environment, ifMatch });
      const after = { ...apply(before), updatedAt: this.#options.now() };
      if (isSame(before, after)) {
        return before;
      }
      for (const [each, state] of Object.entries(after.states)) {
        if (!isDeepStrictEqual(stateOf(before, each), state)) {
          checkState(state, { before: stateOf(before, each), legalValues });
        }
      }
      return trx.save({ type, before, after, environment, by });
    });
    await this.#options.changed();
    return changed;
  }
}

/** The entity tag of a flag as one environment sees it, or of all of it. */
export function flagTag(flag: Flag, environment?: string): string {
  const { latest } = flag.revisions;
  return `"${environment === undefined ? latest : revisionOf(flag, environment)}"`;
}

function assertUnchanged(
  flag: Flag,
  { environment, ifMatch }: Pick<EditContext, 'environment' | 'ifMatch'>,
): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') {
    return;
  }
  const tags = [flagTag(flag), flagTag(flag, environment)];
  // Whoever packs an answer on the way makes its tag a weak one.
  const sent = ifMatch.split(',').map(tag => tag.trim().replace(/^W\//, ''));
  if (!sent.some(tag => tags.includes(tag))) {
    throw new PreconditionFailedError(
      `Flag ${flag.name} has changed since it was read`,
    );
  }
}

/** Strategies keep their ids; one that is sent without takes that of its place and kind. */
function giveIds(
  sent: readonly SentStrategy[],
  before: readonly Strategy[],
): Strategy[] {
  const taken = new Set<string>();
  const named = new Set(sent.map(({ id }) => id));
  return sent.map(({ id, ...strategy }, index) => {
    const former = before[index];
    const candidate =
      id ??
      (former?.name === strategy.name && !named.has(former.id)
        ? former.id
        : randomUUID());
    const own = taken.has(candidate) ? randomUUID() : candidate;
    taken.add(own);
    return { id: own, ...strategy };
  });
}

function withoutUndefined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as Partial<T>;
}

function isSame(before: Flag, after: Flag): boolean {
  return (
    before.archivedAt === after.archivedAt &&
    before.project === after.project &&
    isDeepStrictEqual(traitsOf(before), traitsOf(after)) &&
    Object.entries(after.states).every(([environment, state]) =>
      isDeepStrictEqual(stateOf(before, environment), state),
    )
  );
}

function fail(name: string): never {
  throw new NotFoundError(`Flag ${name} not found`);
}
