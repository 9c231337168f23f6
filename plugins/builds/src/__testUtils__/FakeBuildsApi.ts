import { ResponseError } from '@backstage/errors';
import type {
  BuildDetails,
  BuildRef,
  BuildsApi,
  BuildSummary,
  Isolation,
  JobDetails,
  JobSummary,
  LogPart,
  QueueItem,
} from '../api/BuildsApi';

/** A build server in memory: what tests and the plugin alone show. */
export class FakeBuildsApi implements BuildsApi {
  jobs: JobDetails[] = [];
  queue: QueueItem[] = [];
  isolation: Isolation = { kind: 'bubblewrap', gaps: [] };
  builds = new Map<string, BuildDetails>();
  logs = new Map<string, string>();
  /** What was asked for, e.g. `stop hello #2`. */
  readonly asked: string[] = [];
  /** HTTP status that everything answers while it is set. */
  failing: number | undefined;

  async getJobs(): Promise<JobSummary[]> {
    await this.#answer();
    return structuredClone(this.jobs);
  }

  async getJob(name: string): Promise<JobDetails> {
    await this.#answer();
    const found = this.jobs.find(one => one.name === name);
    return structuredClone(found ?? (await this.#fail(404)));
  }

  async getIsolation(): Promise<Isolation> {
    await this.#answer();
    return structuredClone(this.isolation);
  }

  async getQueue(): Promise<QueueItem[]> {
    await this.#answer();
    return structuredClone(this.queue);
  }

  async getBuild(ref: BuildRef): Promise<BuildDetails> {
    await this.#answer();
    return structuredClone(
      this.builds.get(nameOf(ref)) ?? (await this.#fail(404)),
    );
  }

  async getLog(ref: BuildRef, start: number): Promise<LogPart> {
    await this.#answer();
    const log = this.logs.get(nameOf(ref)) ?? '';
    return {
      text: log.slice(start),
      end: log.length,
      more: this.builds.get(nameOf(ref))?.building ?? false,
    };
  }

  async runJob(
    name: string,
    parameters: Record<string, string>,
  ): Promise<QueueItem> {
    await this.#answer();
    this.asked.push(`run ${name} ${JSON.stringify(parameters)}`);
    return queueItem(name, 1);
  }

  async rebuild(ref: BuildRef): Promise<QueueItem> {
    await this.#answer();
    this.asked.push(`rebuild ${nameOf(ref)}`);
    return queueItem(ref.job, ref.number + 1);
  }

  async stopBuild(ref: BuildRef): Promise<void> {
    this.asked.push(`stop ${nameOf(ref)}`);
  }

  async cancelItem(id: number): Promise<void> {
    this.asked.push(`cancel ${id}`);
    this.queue = this.queue.filter(item => item.id !== id);
  }

  async downloadLog(ref: BuildRef): Promise<Blob> {
    return new Blob([this.logs.get(nameOf(ref)) ?? '']);
  }

  async downloadArtifact(ref: BuildRef, path: string): Promise<Blob> {
    await this.#answer();
    this.asked.push(`download ${path} of ${nameOf(ref)}`);
    return new Blob(['content']);
  }

  async #answer(): Promise<void> {
    if (this.failing !== undefined) {
      await this.#fail(this.failing);
    }
  }

  async #fail(status: number): Promise<never> {
    throw await ResponseError.fromResponse(
      Response.json(
        { error: { name: 'Error', message: `It is ${status}` } },
        { status },
      ),
    );
  }
}

function nameOf(ref: BuildRef): string {
  return `${ref.job} #${ref.number}`;
}

/** A build that succeeded an hour before, unless said otherwise. */
export function build(
  number: number,
  more: Partial<BuildDetails> = {},
): BuildDetails {
  return {
    number,
    building: false,
    result: 'SUCCESS',
    timestamp: Date.now() - 3_600_000,
    elapsed: 12_000,
    cause: 'Triggered by dev',
    reason: null,
    steps: [],
    tests: null,
    artifacts: [],
    parameters: {},
    revision: null,
    ref: null,
    changeSet: { items: [] },
    queuedAt: Date.now() - 3_600_000,
    stoppable: false,
    stopRequestedBy: null,
    ...more,
  };
}

/** A job that the reader may run, without parameters unless said otherwise. */
export function job(
  name: string,
  builds: BuildSummary[] = [],
  more: Partial<JobDetails> = {},
): JobDetails {
  return {
    name,
    parent: null,
    file: `${name}.yaml`,
    faults: [],
    description: `Builds ${name}`,
    owner: null,
    triggerable: true,
    inQueue: false,
    lastBuild: builds[0] ?? null,
    recentBuilds: builds.slice(0, 10),
    builds,
    parameterDefinitions: [],
    repository: null,
    discardOldBuilds: {},
    secrets: [],
    ...more,
  };
}

export function queueItem(
  name: string,
  buildNumber: number,
  why = 'Waiting for next available executor',
): QueueItem {
  return {
    id: buildNumber,
    task: { name },
    buildNumber,
    why,
    cause: 'Triggered by dev',
    inQueueSince: Date.now() - 5_000,
    cancelled: false,
    executable: null,
  };
}
