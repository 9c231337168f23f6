import { createHash } from 'node:crypto';
import type { Person, Service } from '../organisation/organisation';
import { performanceAt } from '../organisation/teams';
import { type Dice, diceOf } from './random';
import {
  type BuildFailure,
  BUILD_FAILURES,
  COMMIT_MESSAGES,
  FIX_MESSAGES,
  INCIDENT_TITLES,
} from './texts';
import { HOUR_MS, MINUTE_MS, partOf, type StoryTime } from './time';

/** A commit on the deployed branch. Times are milliseconds since the Unix epoch. */
export interface Commit {
  readonly sha: string;
  readonly message: string;
  readonly author: Person;
  readonly committedAt: number;
  readonly landedAt: number;
}

/** A build of the service's job. */
export interface BuildRun {
  readonly number: number;
  readonly commits: readonly Commit[];
  readonly by: Person;
  readonly startedAt: number;
  readonly finishedAt: number;
  /** Cause of the failure; undefined if it succeeded. */
  readonly failure?: BuildFailure;
  /** False if it failed before it could deploy. */
  readonly isDeployed: boolean;
  /** True if it rebuilds an earlier deployment. */
  readonly isRollback: boolean;
}

/** A deployment to production; it failed if its build did. */
export interface Deployment {
  readonly id: string;
  readonly version: string;
  readonly build: BuildRun;
  /** The latest commit in it. */
  readonly head: Commit;
  readonly rollbackOf?: string;
  readonly unplanned: boolean;
}

/** An incident of the service caused by a deployment. */
export interface Incident {
  readonly id: string;
  readonly title: string;
  readonly severity: 'critical' | 'major' | 'minor';
  readonly startedAt: number;
  /** null while it is open. */
  readonly resolvedAt: number | null;
  readonly deployment: string;
}

/** The scripted details of a release. */
interface ReleaseOptions {
  message?: string;
  unplanned?: boolean;
  /** True if its build succeeds the first time. */
  smooth?: boolean;
  /** A commit of an existing repository; defaults to an invented one. */
  sha?: string;
}

/** Half a year of one service, created release by release. */
export class ServiceHistory {
  readonly service: Service;
  readonly commits: Commit[] = [];
  readonly builds: BuildRun[] = [];
  readonly deployments: Deployment[] = [];
  readonly incidents: Incident[] = [];
  readonly #dice: Dice;
  readonly #time: StoryTime;
  /** The time before which no further event may happen. */
  #clock = 0;

  constructor(service: Service, options: { seed: string; time: StoryTime }) {
    this.service = service;
    this.#time = options.time;
    this.#dice = diceOf(options.seed, 'service', service.name);
  }

  get dice(): Dice {
    return this.#dice;
  }

  /** Returns how the team works at a given time. */
  performanceAt(moment: number) {
    return performanceAt(this.service.team.plan, partOf(this.#time, moment));
  }

  /** Commits, builds and deploys; sometimes the build fails first. */
  release(moment: number, options: ReleaseOptions = {}): Deployment {
    const at = Math.max(moment, this.#clock);
    const performance = this.performanceAt(at);
    const commits = this.#commit(at, performance.leadHours, options);
    const fails =
      !options.smooth && this.#dice.roll() < performance.buildFailureRate;
    if (!fails) {
      return this.#deploy(this.#build(at, commits), options);
    }
    const failed = this.#build(at, commits, {
      failure: this.#dice.pick(BUILD_FAILURES),
    });
    const again = failed.finishedAt + this.#dice.around(35) * MINUTE_MS;
    const fix = this.#commit(again, 0.3, {
      message: this.#dice.pick(FIX_MESSAGES),
      unplanned: true,
    });
    return this.#deploy(this.#build(again, [...commits, ...fix]), options);
  }

  /** Adds a failed build that nobody has repaired. */
  fail(
    moment: number,
    { message, failure }: { message: string; failure: BuildFailure },
  ): BuildRun {
    const at = Math.max(moment, this.#clock);
    const commits = this.#commit(at, 2, { message, unplanned: true });
    return this.#build(at, commits, { failure });
  }

  /** Adds a build that fails during its deployment, so that its release is partially in production. */
  failHalfway(
    moment: number,
    {
      message,
      failure,
      sha,
    }: { message: string; failure: BuildFailure; sha?: string },
  ): Deployment {
    const at = Math.max(moment, this.#clock);
    const commits = this.#commit(at, 2, { message, sha });
    const build = this.#build(at, commits, { failure, isDeployed: true });
    return this.#deploy(build, {});
  }

  /** Adds an incident caused by a deployment. */
  incident(
    { id, build }: Deployment,
    options: {
      title?: string;
      severity?: Incident['severity'];
      afterMinutes?: number;
      /** null: it is still open. */
      hours?: number | null;
    } = {},
  ): Incident {
    const {
      title = this.#dice.pick(INCIDENT_TITLES),
      severity = this.#dice.pick(['major', 'major', 'minor', 'critical']),
      afterMinutes = 4 + this.#dice.roll() * 40,
      hours = this.#dice.around(
        this.performanceAt(build.finishedAt).restoreHours,
      ),
    } = options;
    const startedAt = round(build.finishedAt + afterMinutes * MINUTE_MS);
    const incident: Incident = {
      id: `${this.service.job}-incident-${this.incidents.length + 1}`,
      title,
      severity,
      startedAt,
      resolvedAt:
        hours === null
          ? null
          : this.#within(round(startedAt + hours * HOUR_MS), startedAt),
      deployment: id,
    };
    this.incidents.push(incident);
    return incident;
  }

  /** Rebuilds and redeploys the version before a deployment. */
  rollBack(bad: Deployment, moment: number): Deployment {
    const before = this.deployments[this.deployments.indexOf(bad) - 1] ?? bad;
    const at = Math.max(moment, this.#clock);
    const build = this.#build(at, [], {
      isRollback: true,
      by: this.service.team.people[0],
    });
    return this.#push({
      build,
      head: before.head,
      version: before.version,
      rollbackOf: bad.id,
      unplanned: true,
    });
  }

  #deploy(build: BuildRun, options: ReleaseOptions): Deployment {
    return this.#push({
      build,
      head: build.commits[build.commits.length - 1],
      version: `1.${build.number}.0`,
      unplanned: options.unplanned ?? false,
    });
  }

  #push(deployment: Omit<Deployment, 'id'>): Deployment {
    const id = `${this.service.job}#${deployment.build.number}`;
    const complete = { ...deployment, id };
    this.deployments.push(complete);
    return complete;
  }

  #commit(
    at: number,
    leadHours: number,
    { message, unplanned, sha }: ReleaseOptions,
  ): Commit[] {
    const count = message || unplanned ? 1 : 1 + this.#dice.count(1.1);
    const { people } = this.service.team;
    const commits = Array.from({ length: count }, (_, index): Commit => {
      const landedAt = round(at - (count - index) * 2 * MINUTE_MS);
      const hours = this.#dice.around(unplanned ? 0.4 : leadHours);
      const number = this.commits.length + index + 1;
      return {
        sha:
          sha ??
          createHash('sha1')
            .update(`${this.service.repository} ${number}`)
            .digest('hex'),
        message: message ?? this.#dice.pick(COMMIT_MESSAGES),
        author: this.#dice.pick(people),
        committedAt: Math.min(landedAt, round(at - hours * HOUR_MS)),
        landedAt,
      };
    });
    this.commits.push(...commits);
    return commits;
  }

  #build(
    at: number,
    commits: readonly Commit[],
    options: {
      failure?: BuildFailure;
      isDeployed?: boolean;
      isRollback?: boolean;
      by?: Person;
    } = {},
  ): BuildRun {
    const startedAt = round(at);
    const minutes = this.#dice.around(options.failure ? 3 : 5);
    const build: BuildRun = {
      number: this.builds.length + 1,
      commits,
      by: options.by ?? commits[commits.length - 1].author,
      startedAt,
      finishedAt: round(startedAt + minutes * MINUTE_MS),
      failure: options.failure,
      isDeployed: options.isDeployed ?? options.failure === undefined,
      isRollback: options.isRollback ?? false,
    };
    this.builds.push(build);
    this.#clock = build.finishedAt + 20 * MINUTE_MS;
    return build;
  }

  /** Limits the end of an incident to the time of the story, but after its start. */
  #within(moment: number, startedAt: number): number {
    return Math.max(
      startedAt + 5 * MINUTE_MS,
      Math.min(moment, this.#time.end - 2 * HOUR_MS),
    );
  }
}

/** Rounds to whole seconds. */
function round(moment: number): number {
  return Math.round(moment / 1_000) * 1_000;
}
