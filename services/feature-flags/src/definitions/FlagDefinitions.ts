import type { Author } from '../approval/transitions.ts';
import type { ChangeRequests } from '../approval/ChangeRequests.ts';
import { giveIds } from '../flags/flagEdits.ts';
import {
  type Flag,
  type FlagState,
  stateOf,
  withState,
} from '../model/Flag.ts';
import type { ImportReport } from '../transfer/ImportReport.ts';
import type { ImportSource, Transfers } from '../transfer/Transfers.ts';
import { readDefinitions, writeDefinitions } from './bundles.ts';
import type { DefinedFlags } from './schemas.ts';

/** A change of a flag in a protected environment, with its change request. */
interface RequestedChange {
  readonly name: string;
  readonly environment: string;
  readonly changeRequest?: number;
}

/** The changes that definitions make directly, and those that they request. */
export interface DefinitionsReport extends ImportReport {
  readonly requested: RequestedChange[];
}

/** Compares flags defined in files with those of the service, and applies the files. */
export class FlagDefinitions {
  readonly #transfers: Transfers;
  readonly #requests: Pick<ChangeRequests, 'change'>;

  constructor(options: {
    transfers: Transfers;
    requests: Pick<ChangeRequests, 'change'>;
  }) {
    this.#transfers = options.transfers;
    this.#requests = options.requests;
  }

  /** Exports the flags of a project, or all flags, with their segments. */
  async export(project?: string): Promise<DefinedFlags> {
    return writeDefinitions(await this.#transfers.inventory(), project);
  }

  /** Reports what applying definitions would change. */
  async diff(definitions: DefinedFlags): Promise<DefinitionsReport> {
    const { report, proposals } = await this.#transfers.validate(
      sourceOf(definitions),
    );
    return {
      ...report,
      requested: proposals.map(({ name, environment }) => ({
        name,
        environment,
      })),
    };
  }

  /**
   * Applies definitions, all or nothing; then requests the changes in protected
   * environments.
   *
   * @throws InvalidRequestError if the report has errors.
   */
  async apply(
    definitions: DefinedFlags,
    author: Author,
  ): Promise<DefinitionsReport> {
    const { report, proposals } = await this.#transfers.import(
      sourceOf(definitions),
      author.by,
    );
    const requested: RequestedChange[] = [];
    for (const { name, environment, state } of proposals) {
      const { request } = await this.#requests.change(
        name,
        { environment },
        { author, edit: flag => define(flag, environment, state) },
      );
      requested.push({ name, environment, changeRequest: request?.id });
    }
    return { ...report, requested };
  }
}

function sourceOf(definitions: DefinedFlags): ImportSource {
  return {
    read: findings => readDefinitions(definitions, findings),
    mode: { isTrusted: false, updatesSegments: true, proposes: true },
  };
}

/**
 * Returns a flag with a defined state. Strategies keep the ids that they have in the flag, or in the
 * request to which the change is added, so that requesting the same state again changes nothing.
 */
function define(flag: Flag, environment: string, state: FlagState): Flag {
  const { strategies } = stateOf(flag, environment);
  return withState(flag, environment, {
    ...state,
    strategies: giveIds(
      state.strategies.map(({ id, ...strategy }) => ({
        ...strategy,
        ...(strategies.some(each => each.id === id) && { id }),
      })),
      strategies,
    ),
  });
}
