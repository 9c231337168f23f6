import { ResponseError } from '@backstage/errors';
import type {
  Agent,
  AgentChange,
  AgentList,
  Approval,
  BuildDetails,
  BuildRef,
  BuildsApi,
  BuildStep,
  BuildSummary,
  Decision,
  JobDetails,
  JobSummary,
  LogLine,
  LogMatches,
  LogOutline,
  LogSection,
  LogWindow,
  QueueItem,
  RebuildOptions,
  SecretChange,
  SecretList,
  ServerIsolation,
  TestList,
  TestQuery,
  TestResult,
  TestRunHistory,
  UsageReport,
} from '../api/BuildsApi';

/** An in-memory build server for tests and for the plugin's development app. */
export class FakeBuildsApi implements BuildsApi {
  jobs: JobDetails[] = [];
  agents: Agent[] = [];
  secrets: SecretList = { storable: true, secrets: [] };
  usage: UsageReport = {
    totals: { builds: 0, minutes: 0, judged: 0, succeeded: 0, queue: null },
    ...{ parts: [], jobs: [], teams: [], disk: null },
  };
  mayManage = true;
  queue: QueueItem[] = [];
  isolation: ServerIsolation = {
    kind: 'bubblewrap',
    limits: null,
    gaps: [],
    containers: null,
  };
  builds = new Map<string, BuildDetails>();
  /**
   * Logs by keys such as `shop #3`; each step begins with a line such as `==> Test`.
   */
  logs = new Map<string, string>();
  tests = new Map<string, TestResult[]>();
  testRuns = new Map<string, TestRunHistory>();
  approvals = new Map<string, Approval[]>();
  files = new Map<string, string>();
  /** Calls that were made, e.g. `stop hello #2`. */
  readonly asked: string[] = [];
  /** HTTP status of every response, while it is set. */
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

  async getIsolation(): Promise<ServerIsolation> {
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

  async getLogOutline(ref: BuildRef): Promise<LogOutline> {
    await this.#answer();
    const sections = this.#sectionsOf(ref);
    return {
      sections: sections.map(section => ({
        ...section,
        lines: section.lines.length,
      })),
      more: this.builds.get(nameOf(ref))?.building ?? false,
    };
  }

  async getLogLines(ref: BuildRef, window: LogWindow): Promise<LogLine[]> {
    await this.#answer();
    const { section, from, count } = window;
    return this.#sectionsOf(ref)
      [section].lines.slice(from, from + count)
      .map(text => ({ text, at: Date.UTC(2026, 10, 20, 12, 30) }));
  }

  async searchLog(ref: BuildRef, text: string): Promise<LogMatches> {
    const sought = text.toLowerCase();
    const matches = this.#sectionsOf(ref).flatMap(({ lines }, section) =>
      lines.flatMap((line, index) =>
        line.toLowerCase().includes(sought) ? [{ section, line: index }] : [],
      ),
    );
    return { matches, more: false };
  }

  async getTests(ref: BuildRef, query: TestQuery): Promise<TestList> {
    await this.#answer();
    const all = this.tests.get(nameOf(ref)) ?? [];
    const found = all.filter(
      ({ outcome }) => !query.outcome || outcome === query.outcome,
    );
    const {
      total = 0,
      failed = 0,
      skipped = 0,
    } = this.builds.get(nameOf(ref))?.tests ?? {};
    const tests = found.slice(query.offset, query.offset + query.limit);
    return { ...{ total, failed, skipped, tests }, listed: found.length };
  }

  async getTest(jobName: string, id: string): Promise<TestRunHistory> {
    await this.#answer();
    return structuredClone(
      this.testRuns.get(`${jobName} ${id}`) ?? (await this.#fail(404)),
    );
  }

  async getApprovals(ref: BuildRef): Promise<Approval[]> {
    await this.#answer();
    return structuredClone(this.approvals.get(nameOf(ref)) ?? []);
  }

  async decide(ref: BuildRef, decision: Decision): Promise<void> {
    await this.#answer();
    this.asked.push(`decide ${nameOf(ref)} ${JSON.stringify(decision)}`);
    this.approvals.set(
      nameOf(ref),
      (this.approvals.get(nameOf(ref)) ?? []).map(approval =>
        approval.step === decision.step
          ? {
              ...approval,
              state: decision.decision === 'approve' ? 'approved' : 'rejected',
              decidedBy: 'user:default/ada',
              decidedAt: Date.now(),
              comment: decision.comment ?? null,
              values: decision.inputs ?? {},
            }
          : approval,
      ),
    );
  }

  async getJobFile(name: string): Promise<{ file: string; text: string }> {
    await this.#answer();
    const text = this.files.get(name) ?? (await this.#fail(404));
    return { file: `${name}.yaml`, text };
  }

  async setJobEnabled(name: string, isEnabled: boolean): Promise<void> {
    await this.#answer();
    this.asked.push(`${isEnabled ? 'enable' : 'disable'} ${name}`);
    this.jobs = this.jobs.map(one =>
      one.name === name
        ? { ...one, disabledBy: isEnabled ? null : 'user:default/ada' }
        : one,
    );
  }

  async runJob(
    name: string,
    parameters: Record<string, string>,
  ): Promise<QueueItem> {
    await this.#answer();
    this.asked.push(`run ${name} ${JSON.stringify(parameters)}`);
    return queueItem(name, 1);
  }

  async rebuild(ref: BuildRef, how?: RebuildOptions): Promise<QueueItem> {
    await this.#answer();
    const words =
      how && Object.keys(how).length > 0 ? ` ${JSON.stringify(how)}` : '';
    this.asked.push(`rebuild ${nameOf(ref)}${words}`);
    return queueItem(ref.job, ref.number + 1);
  }

  async stopBuild(ref: BuildRef): Promise<void> {
    this.asked.push(`stop ${nameOf(ref)}`);
  }

  async describeBuild(
    ref: BuildRef,
    about: { displayName: string; description: string },
  ): Promise<void> {
    await this.#answer();
    this.asked.push(`describe ${nameOf(ref)} ${JSON.stringify(about)}`);
    this.#change(ref, {
      displayName: about.displayName || `#${ref.number}`,
      description: about.description || null,
    });
  }

  async keepBuild(ref: BuildRef, reason: string): Promise<void> {
    await this.#answer();
    this.asked.push(`keep ${nameOf(ref)} ${reason}`.trim());
    this.#change(ref, {
      kept: {
        ...{ by: 'user:default/ada', at: Date.now() },
        reason: reason || null,
      },
    });
  }

  async stopKeeping(ref: BuildRef): Promise<void> {
    await this.#answer();
    this.asked.push(`stop keeping ${nameOf(ref)}`);
    this.#change(ref, { kept: null });
  }

  #change(ref: BuildRef, change: Partial<BuildDetails>): void {
    const before = this.builds.get(nameOf(ref)) ?? build(ref.number);
    this.builds.set(nameOf(ref), { ...before, ...change });
  }

  async cancelItem(id: number): Promise<void> {
    this.asked.push(`cancel ${id}`);
    this.queue = this.queue.filter(item => item.id !== id);
  }

  async getUsage({ from, to }: { from: string; to: string }) {
    await this.#answer();
    this.asked.push(`usage ${from}..${to}`);
    return structuredClone(this.usage);
  }

  async getSecrets(): Promise<SecretList> {
    return this.secrets;
  }

  async putSecret(secret: SecretChange): Promise<void> {
    this.asked.push(`put ${JSON.stringify(secret)}`);
  }

  async removeSecret(name: string): Promise<void> {
    this.asked.push(`delete ${name}`);
  }

  async getAgents(): Promise<AgentList> {
    await this.#answer();
    return { agents: this.agents, manageable: this.mayManage };
  }

  async inviteAgent(labels: readonly string[]): Promise<string> {
    await this.#answer();
    this.asked.push(`invite ${labels.join(',')}`);
    return 'slipway_enrol_example';
  }

  async changeAgent(id: string, change: AgentChange): Promise<void> {
    this.asked.push(`${change} ${id}`);
  }

  async downloadLog(ref: BuildRef): Promise<Blob> {
    return new Blob([this.logs.get(nameOf(ref)) ?? '']);
  }

  async downloadArtifact(ref: BuildRef, path: string): Promise<Blob> {
    await this.#answer();
    this.asked.push(`download ${path} of ${nameOf(ref)}`);
    return new Blob(['content']);
  }

  /** Divides the log of a build into steps, as the server does. */
  #sectionsOf(ref: BuildRef) {
    const names = this.builds.get(nameOf(ref))?.steps.map(({ name }) => name);
    const lines = (this.logs.get(nameOf(ref)) ?? '').split('\n').slice(0, -1);
    const sections: (Pick<LogSection, 'step' | 'groups'> & {
      lines: string[];
    })[] = [];
    for (const line of lines) {
      const index = names?.indexOf(line.replace(/^==> /, '')) ?? -1;
      if (index >= 0 || sections.length === 0) {
        const isHead = index >= 0;
        sections.push({ step: isHead ? index : null, lines: [], groups: [] });
        if (isHead) {
          continue;
        }
      }
      const section = sections.at(-1)!;
      if (line.startsWith('::group::')) {
        const from = section.lines.length;
        section.groups.push({ title: line.slice(9), from, to: null });
      } else if (line === '::endgroup::') {
        section.groups.at(-1)!.to = section.lines.length;
      }
      section.lines.push(line);
    }
    return sections;
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

/** Creates a build that succeeded an hour ago, by default. */
export function build(
  number: number,
  more: Partial<BuildDetails> = {},
): BuildDetails {
  return {
    number,
    building: false,
    waiting: false,
    result: 'SUCCESS',
    timestamp: Date.now() - 3_600_000,
    elapsed: 12_000,
    cause: 'Triggered by dev',
    reason: null,
    pipelineFaults: [],
    displayName: `#${number}`,
    description: null,
    kept: null,
    steps: [],
    tests: null,
    artifacts: [],
    parameters: {},
    revision: null,
    ref: null,
    author: null,
    pullRequest: null,
    rerunOf: null,
    changeSet: { items: [] },
    queuedAt: Date.now() - 3_600_000,
    estimatedDuration: -1,
    stoppable: false,
    stopRequestedBy: null,
    ...more,
  };
}

/** Creates a job that the reader may run, without parameters by default. */
export function job(
  name: string,
  builds: BuildSummary[] = [],
  more: Partial<JobDetails> = {},
): JobDetails {
  return {
    name,
    url: `https://builds.example.org/job/${encodeURIComponent(name)}/`,
    parent: null,
    pullRequest: null,
    pullRequestTitle: null,
    file: `${name}.yaml`,
    faults: [],
    disabledBy: null,
    manageable: false,
    description: `Builds ${name}`,
    owner: null,
    triggerable: true,
    inQueue: false,
    skipped: null,
    lastBuild: builds[0] ?? null,
    recentBuilds: builds.slice(0, 10),
    builds,
    keptBuilds: builds.filter(({ kept }) => kept !== null),
    keptCount: builds.filter(({ kept }) => kept !== null).length,
    maxKeptBuilds: 20,
    parameterDefinitions: [],
    repository: null,
    discardOldBuilds: {},
    secrets: [],
    webhook: null,
    schedule: [],
    timeZone: 'UTC',
    nextRunAt: null,
    pipelineFolder: null,
    mainBranch: null,
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
    position: 1,
    cause: 'Triggered by dev',
    inQueueSince: Date.now() - 5_000,
    cancelled: false,
    executable: null,
  };
}

/** Creates a connected, idle agent. */
export function agent(name: string, more: Partial<Agent> = {}): Agent {
  return {
    id: name,
    name,
    labels: ['linux'],
    state: 'active',
    connected: true,
    capacity: 2,
    running: [],
    executor: {
      kind: 'bubblewrap',
      limits: 'control groups',
      gaps: [],
      containers: null,
    },
    seenAt: Date.now() - 1_000,
    ...more,
  };
}

/** Creates a step that has not started, by default. */
export function step(name: string, more: Partial<BuildStep> = {}): BuildStep {
  const begun = { done: true, failed: true, warning: true, running: true };
  const startedAt =
    more.state && more.state in begun ? Date.now() - 9_000 : null;
  return {
    name,
    state: 'pending',
    startedAt,
    finishedAt:
      startedAt === null || more.state === 'running' ? null : startedAt + 4_000,
    message: null,
    ...more,
  };
}
