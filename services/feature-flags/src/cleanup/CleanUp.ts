import { createHash } from 'node:crypto';
import { ConflictError, UnavailableError } from '@slipway/service-kit';
import type { FlagAdmin } from '../flags/FlagAdmin.ts';
import { addressOf, type CodeReference } from '../model/CodeReference.ts';
import { type Flag, stateOf } from '../model/Flag.ts';
import type { Environments, Projects } from '../registers/registers.ts';
import type { CodeReferenceStore } from '../storage/CodeReferenceStore.ts';
import type { FlagIssue, FlagIssueStore } from '../storage/FlagIssueStore.ts';
import type { History } from '../storage/History.ts';
import type { UsageStore } from '../storage/UsageStore.ts';
import type { FeedbackTracker } from './FeedbackTracker.ts';
import { type CleanUpReason, reasonsOf } from './reasonsOf.ts';

/** A flag that is ready to be removed, with the facts for the decision. */
export interface Candidate {
  readonly flag: Flag;
  readonly reasons: readonly CleanUpReason[];
  /** Entity reference of the owner of its project. */
  readonly owner: string | null;
  readonly environments: readonly {
    readonly name: string;
    readonly enabled: boolean;
    readonly lastUsedAt: number | null;
  }[];
  /** The number of lines of code that name it; null if nothing was ever scanned. */
  readonly references: number | null;
  readonly issue: FlagIssue | undefined;
}

interface CleanUpOptions {
  flags: FlagAdmin;
  environments: Environments;
  projects: Projects;
  usage: UsageStore;
  history: Pick<History, 'startedSince'>;
  references: CodeReferenceStore;
  issues: FlagIssueStore;
  /** Undefined if no feedback service is configured. */
  tracker: FeedbackTracker | undefined;
  /** The URL of the portal's pages. */
  appUrl: string;
  now: () => number;
}

const DAY_MS = 86_400_000;
const SHOWN_REFERENCES = 50;
/** Names that a marker contains as they are; other names are hashed. */
const MARKED = /^[A-Za-z0-9_.~-]+$/;

/** Finds flags that can be removed, and opens issues for their owners. */
export class CleanUp {
  readonly #options: CleanUpOptions;

  constructor(options: CleanUpOptions) {
    this.#options = options;
  }

  get canOpenIssues(): boolean {
    return this.#options.tracker !== undefined;
  }

  /** Lists flags in use that are ready to be removed, those with the most reasons first. */
  async list(query: {
    unusedDays: number;
    settledDays: number;
    project?: string;
  }): Promise<Candidate[]> {
    const { flags, environments, projects, references, issues } = this.#options;
    const now = this.#options.now();
    const all = await environments.list();
    const enabled = all.filter(each => each.enabled).map(({ name }) => name);
    const owners = new Map(
      (await projects.list()).map(({ id, owner }) => [id, owner]),
    );
    const uses = await this.#usesByFlag();
    const started = await this.#options.history.startedSince(
      now - query.unusedDays * DAY_MS,
    );
    const counts = await references.counts();
    const opened = new Map(
      (await issues.list()).map(issue => [issue.flag, issue]),
    );
    const listed = await flags.list({
      archived: false,
      project: query.project,
    });
    return listed
      .map(flag => {
        const used = uses.get(flag.name) ?? new Map<string, number>();
        return {
          flag,
          reasons: reasonsOf(flag, {
            ...query,
            environments: enabled,
            lastUsedAt: used.size > 0 ? Math.max(...used.values()) : undefined,
            isNew: started.has(flag.name),
            now,
          }),
          owner: owners.get(flag.project) ?? null,
          environments: all.map(({ name }) => ({
            name,
            enabled: stateOf(flag, name).enabled,
            lastUsedAt: used.get(name) ?? null,
          })),
          references: counts ? (counts.get(flag.name) ?? 0) : null,
          issue: opened.get(flag.name),
        };
      })
      .filter(({ reasons }) => reasons.length > 0)
      .sort((one, other) => other.reasons.length - one.reasons.length);
  }

  /** Lists the lines of code that name a flag. @throws NotFoundError */
  async references(name: string): Promise<CodeReference[]> {
    await this.#options.flags.get(name);
    return this.#options.references.list(name);
  }

  /**
   * Opens an issue to remove a flag.
   *
   * @throws NotFoundError; ConflictError if it has one; UnavailableError without a tracker.
   */
  async openIssue(name: string, by: string): Promise<FlagIssue> {
    const { flags, issues, tracker, now } = this.#options;
    const flag = await flags.get(name);
    const opened = await issues.find(name);
    if (opened) {
      throw new ConflictError(`Issue ${opened.number} is about ${name}`, {
        field: 'featureName',
        constraint: 'unique',
      });
    }
    if (!tracker) {
      throw new UnavailableError(
        'No tracker is configured: set featureFlags.feedback',
      );
    }
    const { number, url } = await tracker.open({
      marker: `slipway-flag: ${MARKED.test(name) ? name : digestOf(name)}`,
      title: `Remove the feature flag ${name}`,
      body: await this.#describe(flag, by),
    });
    const issue = { flag: name, number, url };
    await issues.insert(issue, { by, now: now() });
    return issue;
  }

  async #describe(flag: Flag, by: string): Promise<string> {
    const { projects, references, appUrl } = this.#options;
    const project = (await projects.list()).find(
      ({ id }) => id === flag.project,
    );
    const found = await references.list(flag.name);
    const rest = found.length - SHOWN_REFERENCES;
    const page = `${appUrl}/flags/flag/${encodeURIComponent(flag.name)}`;
    return [
      `The flag [\`${flag.name}\`](${page}) can be removed.`,
      '',
      `- Type: \`${flag.type}\`, created on ${new Date(flag.createdAt).toISOString().slice(0, 10)}`,
      `- Owner: \`${project?.owner ?? 'none'}\``,
      `- Requested by: \`${by}\``,
      ...(found.length > 0 ? ['', 'Lines of code that name it:', ''] : []),
      ...found.slice(0, SHOWN_REFERENCES).map(each => `- <${addressOf(each)}>`),
      ...(rest > 0 ? [`- and ${rest} more`] : []),
    ].join('\n');
  }

  async #usesByFlag(): Promise<Map<string, Map<string, number>>> {
    const uses = new Map<string, Map<string, number>>();
    const last = await this.#options.usage.lastUses();
    for (const { flag, environment, at } of last) {
      const used = uses.get(flag) ?? new Map<string, number>();
      uses.set(flag, used.set(environment, at));
    }
    return uses;
  }
}

function digestOf(name: string): string {
  return `sha256:${createHash('sha256').update(name).digest('hex')}`;
}
