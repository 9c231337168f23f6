import { isDeepStrictEqual } from 'node:util';
import { assertMatches, InvalidRequestError } from '@slipway/service-kit';
import { type Flag, type FlagState, stateOf } from '../model/Flag.ts';
import type {
  Authorship,
  RegisterTransaction,
} from '../storage/RegisterStore.ts';
import type {
  TransferStore,
  TransferTransaction,
} from '../storage/TransferStore.ts';
import { Findings } from './Findings.ts';
import type { FlagBundle } from './FlagBundle.ts';
import type {
  ImportMode,
  ImportPlan,
  Inventory,
  Proposal,
} from './ImportPlan.ts';
import { describePlan, type ImportReport, reportTag } from './ImportReport.ts';
import type { planImport } from './planImport.ts';

/** The effects of an import, and the changes that others have to approve. */
export interface ImportOutcome {
  readonly report: ImportReport;
  readonly proposals: readonly Proposal[];
}

/** A source to import, and the rules for it. */
export interface ImportSource {
  /** Reads the source, and records what it lacks. */
  readonly read: (findings: Findings) => FlagBundle;
  readonly mode: ImportMode;
}

interface TransferOptions {
  store: TransferStore;
  /** The environment that the history records for changes that affect no single environment. */
  environment: string;
  now: () => number;
  /** Called after each commit; refreshes the state in memory. */
  onChanged: () => Promise<void>;
}

/** Imports flags with everything that they refer to, all or nothing, and reads them for exports. */
export class Transfers {
  readonly #options: TransferOptions;

  constructor(options: TransferOptions) {
    this.#options = options;
  }

  /** Reads the whole state in one transaction. */
  inventory(): Promise<Inventory> {
    const author = { by: 'nobody', now: this.#options.now() };
    return this.#options.store.transaction(author, readInventory);
  }

  /** Reports what an import would do, and what prevents it. */
  async validate(source: ImportSource): Promise<ImportOutcome> {
    const planner = await loadPlanner();
    const inventory = await this.inventory();
    const { plan, report } = this.#plan(source, { inventory, planner });
    return { report, proposals: plan.proposals };
  }

  /**
   * Runs an import.
   *
   * @param options.ifMatch - the tag of the report that the caller has seen, as in `If-Match`.
   * @throws InvalidRequestError if anything prevents the import, PreconditionFailedError if others have
   *   changed what it overwrites; nothing is imported then.
   */
  async import(
    source: ImportSource,
    by: string,
    { ifMatch }: { ifMatch?: string } = {},
  ): Promise<ImportOutcome> {
    const { now, environment } = this.#options;
    const author = { by, now: now(), environment };
    const planner = await loadPlanner();
    const outcome = await this.#options.store.transaction(author, async trx => {
      const inventory = await readInventory(trx);
      const planned = this.#plan(source, { inventory, planner });
      assertPossible(planned.report);
      assertMatches(ifMatch, {
        tags: [reportTag(planned.report)],
        what: 'What the import overwrites',
      });
      const ids = await make(planned.plan, trx, author);
      return {
        report: planned.report,
        proposals: planned.plan.proposals.map(proposal => ({
          ...proposal,
          state: withSegments(proposal.state, ids),
        })),
      };
    });
    await this.#options.onChanged();
    return outcome;
  }

  #plan(
    { read, mode }: ImportSource,
    options: { inventory: Inventory; planner: Planner },
  ): { plan: ImportPlan; report: ImportReport } {
    const findings = new Findings();
    const bundle = read(findings);
    const plan = options.planner(bundle, {
      inventory: options.inventory,
      mode,
      findings,
      now: this.#options.now(),
    });
    return { plan, report: describePlan(plan, findings) };
  }
}

type Planner = typeof planImport;

/** Loads the planner of imports on first use, because it takes megabytes. */
async function loadPlanner(): Promise<Planner> {
  return (await import('./planImport.ts')).planImport;
}

async function readInventory(trx: TransferTransaction): Promise<Inventory> {
  return {
    flags: await trx.flags.list(),
    segments: await trx.segments.list(),
    environments: await trx.environments.list(),
    projects: await trx.projects.list(),
    contextFields: await trx.contextFields.list(),
  };
}

function assertPossible({ errors }: ImportReport): void {
  const [first, ...others] = errors;
  if (first) {
    const items = first.affectedItems.slice(0, 5).join(', ');
    const more =
      others.length > 0 ? `; ${others.length} more: validate lists them` : '';
    throw new InvalidRequestError(`${first.message}: ${items}${more}`, {
      field: 'data',
      constraint: 'importable',
    });
  }
}

/** Carries out a plan. @returns the ids of the new segments by their provisional ids. */
async function make(
  plan: ImportPlan,
  trx: TransferTransaction,
  author: Authorship & { environment: string },
): Promise<ReadonlyMap<number, number>> {
  await insertAll(trx.environments, plan.environments, author);
  await insertAll(trx.projects, plan.projects, author);
  await insertAll(trx.contextFields, plan.contextFields, author);
  const ids = new Map<number, number>();
  for (const { before, after, id } of plan.segments) {
    const { name, description, project, constraints } = after;
    const settings = { name, description, project, constraints };
    const saved = before
      ? await trx.segments.update(before, settings)
      : await trx.segments.insert(settings);
    ids.set(id, saved.id);
  }
  for (const { before, after } of plan.flags) {
    const states = Object.entries(after.states).map(
      ([environment, state]) =>
        [environment, withSegments(state, ids)] as const,
    );
    const flag = { ...after, states: Object.fromEntries(states) };
    await saveFlag(trx, { before, after: flag }, author);
  }
  return ids;
}

async function insertAll<T>(
  register: RegisterTransaction<T>,
  records: readonly T[],
  author: Authorship,
): Promise<void> {
  for (const record of records) {
    await register.insert(record, author);
  }
}

/** Replaces provisional ids of segments with those of the created segments. */
function withSegments(
  state: FlagState,
  ids: ReadonlyMap<number, number>,
): FlagState {
  return {
    ...state,
    strategies: state.strategies.map(({ segments, ...strategy }) => ({
      ...strategy,
      ...(segments && { segments: segments.map(id => ids.get(id) ?? id) }),
    })),
  };
}

/** Writes a flag; the history of each environment records what changed there. */
async function saveFlag(
  { flags }: TransferTransaction,
  { before, after }: { before: Flag | undefined; after: Flag },
  { by, environment: own }: Authorship & { environment: string },
): Promise<void> {
  const [first = own, ...others] = Object.keys(after.states).filter(
    environment =>
      !isDeepStrictEqual(
        before && stateOf(before, environment),
        stateOf(after, environment),
      ),
  );
  const type = before ? 'feature-updated' : 'feature-created';
  const states = (done: Flag['states'], environment: string) => ({
    ...done,
    ...(after.states[environment] && {
      [environment]: after.states[environment],
    }),
  });
  let saved = await flags.save({
    type,
    before,
    after: { ...after, states: states(before?.states ?? {}, first) },
    environment: first,
    by,
  });
  for (const environment of others) {
    saved = await flags.save({
      type: 'feature-updated',
      before: saved,
      after: { ...saved, states: states(saved.states, environment) },
      environment,
      by,
    });
  }
}
