import {
  type Access,
  type Auth,
  type Caller,
  type CredentialConfig,
  ForbiddenError,
  isMemberOf,
} from '@slipway/service-kit';
import type { FastifyRequest } from 'fastify';
import type { Job } from '../jobs/Job.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';

/**
 * Decides what callers may do. Users with an API token (Basic or Bearer) are limited by their
 * scopes. Users of the portal may read everything, and may trigger a job as members of its owner or
 * of a trigger group.
 */
export class Permissions {
  /** The access rule of routes that read. */
  readonly read: Access;
  /** The access rule of admin routes: for admins of the portal and users with the scope `admin`. */
  readonly admin: Access;
  readonly isAdmin: (caller: Caller) => Promise<boolean>;
  readonly #jobs: JobCatalog;
  readonly #triggerGroups: readonly string[];

  constructor(options: {
    auth: Auth;
    users: readonly CredentialConfig[];
    triggerGroups: readonly string[];
    adminGroups: readonly string[];
    jobs: JobCatalog;
  }) {
    const { auth, users } = options;
    this.read = auth.anyOf(
      auth.basic({ users }),
      auth.bearer({ tokens: users }),
      auth.portalUser(),
    );
    this.isAdmin = async caller =>
      ('scopes' in caller && caller.scopes.includes('admin')) ||
      isMemberOf(caller, options.adminGroups);
    this.admin = auth.permit(this.read, this.isAdmin);
    this.#jobs = options.jobs;
    this.#triggerGroups = options.triggerGroups;
  }

  async mayTrigger(caller: Caller, job: Job | undefined): Promise<boolean> {
    if (caller.kind !== 'user') {
      return 'scopes' in caller && caller.scopes.includes('trigger');
    }
    const owner = job?.owner === undefined ? [] : [job.owner];
    return isMemberOf(caller, [...this.#triggerGroups, ...owner]);
  }

  /** @throws ForbiddenError */
  async assertMayTrigger(caller: Caller, job: Job | undefined): Promise<void> {
    if (!(await this.mayTrigger(caller, job))) {
      throw new ForbiddenError(
        job?.owner === undefined
          ? 'You have no permission to trigger builds'
          : `You have no permission to trigger ${job.name}; members of ${job.owner} have`,
      );
    }
  }

  /** Checks whether the caller is an admin or a member of the owner of the job. */
  async mayManage(caller: Caller, job: Job): Promise<boolean> {
    const owner = job.owner === undefined ? [] : [job.owner];
    const isOwner = caller.kind === 'user' && (await isMemberOf(caller, owner));
    return isOwner || this.isAdmin(caller);
  }

  /** @throws ForbiddenError unless the caller is an admin or a member of the owner of the job. */
  async assertMayManage(caller: Caller, job: Job): Promise<void> {
    if (!(await this.mayManage(caller, job))) {
      throw new ForbiddenError(
        `You have no permission to disable or enable ${job.name}; admins${
          job.owner === undefined ? '' : ` and members of ${job.owner}`
        } have`,
      );
    }
  }

  /**
   * `onRequest` hook of routes of one job: rejects callers who may not trigger it before the body
   * is read.
   */
  readonly demandTrigger = async (request: FastifyRequest): Promise<void> => {
    const { job } = request.params as { job: string };
    await this.assertMayTrigger(request.caller, this.#jobs.findOfBuild(job));
  };
}
