import {
  actorOf,
  type Caller,
  ConflictError,
  ForbiddenError,
  isMemberOf,
  NotFoundError,
} from '@slipway/service-kit';
import type { Permissions } from '../access/Permissions.ts';
import type { Build } from '../builds/Build.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { Approval } from '../jobs/JobStep.ts';
import { readParameters } from '../jobs/readParameters.ts';
import type { BuildReader } from '../storage/BuildReader.ts';
import type { Gate, GateStore } from '../storage/GateStore.ts';

/** A person's decision. */
interface Verdict {
  step: string;
  isApproved: boolean;
  comment?: string;
  /** Values of the inputs, by name. */
  inputs: Readonly<Record<string, string>>;
}

/** Dependencies of {@link Approvals}. */
interface ApprovalOptions {
  gates: GateStore;
  store: Pick<BuildReader, 'findByIds'>;
  jobs: JobCatalog;
  permissions: Permissions;
}

/** Records the decisions of people that builds wait for. */
export class Approvals {
  readonly #options: ApprovalOptions;

  constructor(options: ApprovalOptions) {
    this.#options = options;
  }

  list(build: Build): Promise<Gate[]> {
    return this.#options.gates.list(build.id);
  }

  /** Lists the pending approvals of builds that a caller may decide. */
  async listFor(caller: Caller): Promise<{ gate: Gate; build: Build }[]> {
    const { gates, store } = this.#options;
    const found: { gate: Gate; build: Build }[] = [];
    const waiting = await gates.listWaiting();
    const builds = await store.findByIds(waiting.map(gate => gate.buildId));
    for (const gate of waiting) {
      const build = builds.get(gate.buildId);
      if (
        build &&
        !isOver(build, gate.step) &&
        (await this.mayDecide(caller, { gate, build }))
      ) {
        found.push({ gate, build });
      }
    }
    return found;
  }

  /** Checks whether a caller may approve. */
  async mayDecide(
    caller: Caller,
    { gate, build }: { gate: Pick<Gate, 'approval'>; build: Build },
  ): Promise<boolean> {
    return (await this.#refusalOf(caller, gate.approval, build)) === undefined;
  }

  /**
   * @throws NotFoundError if the build has no such approval.
   * @throws ForbiddenError
   * @throws ConflictError if it is already decided, or its step has ended.
   * @throws InvalidRequestError naming the invalid input.
   */
  async decide(build: Build, verdict: Verdict, caller: Caller): Promise<void> {
    const { gates } = this.#options;
    const { step, isApproved, comment = null } = verdict;
    const gate = await gates.find(build.id, step);
    if (!gate) {
      throw new NotFoundError(
        `The build is not waiting for a decision on ${step}`,
      );
    }
    const refusal = await this.#refusalOf(caller, gate.approval, build);
    if (refusal !== undefined) {
      throw new ForbiddenError(refusal);
    }
    if (build.state === 'finished') {
      throw new ConflictError(`${build.job} #${build.number} has ended`);
    }
    if (!gate.decision && isOver(build, step)) {
      throw new ConflictError(`${step} no longer waits for a decision`);
    }
    const given = new Map(
      Object.entries(verdict.inputs).map(([name, value]) => [name, [value]]),
    );
    const decision = {
      isApproved,
      by: actorOf(caller),
      comment,
      values: isApproved
        ? readParameters({ parameters: gate.approval.inputs }, given)
        : {},
    };
    if (!(await gates.decide(gate, decision))) {
      throw new ConflictError(`${step} has already been decided`);
    }
  }

  async #refusalOf(
    caller: Caller,
    { by, notByTrigger }: Approval,
    build: Build,
  ): Promise<string | undefined> {
    const { permissions, jobs } = this.#options;
    if (notByTrigger && build.triggeredBy === actorOf(caller)) {
      return 'Whoever triggered the build may not decide';
    }
    if (by === undefined) {
      return (await permissions.mayTrigger(caller, jobs.findOfBuild(build.job)))
        ? undefined
        : 'You have no permission to trigger this job';
    }
    const isNamed =
      by.some(one => one.toLowerCase() === actorOf(caller).toLowerCase()) ||
      (await isMemberOf(caller, by)) ||
      (await permissions.isAdmin(caller));
    return isNamed ? undefined : `Only ${by.join(', ')} may decide`;
  }
}

/** Checks whether a step no longer waits: its build has ended, or nobody decided in time. */
export function isOver({ state, steps }: Build, step: string): boolean {
  const found = steps.find(({ name }) => name === step);
  return (
    state === 'finished' ||
    ['done', 'warning', 'failed', 'skipped'].includes(found?.state ?? '')
  );
}
