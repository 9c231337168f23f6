import { randomBytes } from 'node:crypto';
import { ConflictError, type Database } from '@slipway/service-kit';
import {
  type Agent,
  digestOf,
  type Invitation,
  makeToken,
} from '../agents/Agent.ts';
import type { ExecutorsStatus } from '../execution/Executor.ts';

interface AgentRow {
  id: string;
  name: string;
  token_sha256: string;
  labels: string;
  state: string;
  capacity: number;
  session: string | null;
  version: string | null;
  executor: string | null;
  seen_at: number | string | null;
  created_at: number | string;
  created_by: string;
}

interface InvitationRow {
  labels: string;
  created_at: number | string;
  created_by: string;
  expires_at: number | string;
}

function toAgent(row: AgentRow): Agent {
  return {
    id: row.id,
    name: row.name,
    labels: JSON.parse(row.labels),
    state: row.state as Agent['state'],
    capacity: row.capacity,
    session: row.session,
    version: row.version,
    // Older agents do not report containers.
    executor:
      row.executor === null
        ? null
        : { containers: null, ...JSON.parse(row.executor) },
    seenAt: row.seen_at === null ? null : Number(row.seen_at),
    createdAt: Number(row.created_at),
    createdBy: row.created_by,
  };
}

/** Stores agents and the one-time tokens that enrol them; tokens are stored as digests. */
export class AgentStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async list(): Promise<Agent[]> {
    const rows: AgentRow[] = await this.#database
      .knex<AgentRow>('agents')
      .orderBy('name');
    return rows.map(toAgent);
  }

  async find(id: string): Promise<Agent | undefined> {
    const row = await this.#database
      .knex<AgentRow>('agents')
      .where({ id })
      .first();
    return row && toAgent(row);
  }

  async findByToken(token: string): Promise<Agent | undefined> {
    const row = await this.#database
      .knex<AgentRow>('agents')
      .where({ token_sha256: digestOf(token) })
      .first();
    return row && toAgent(row);
  }

  /** Stores an invitation. @returns a token that enrols one agent. */
  async invite(invitation: {
    labels: readonly string[];
    by: string;
    now: number;
    expiresAt: number;
  }): Promise<string> {
    const token = makeToken('enrol');
    await this.#database.transaction(async trx => {
      await trx('agent_enrolments')
        .where('expires_at', '<', invitation.now)
        .delete();
      await trx('agent_enrolments').insert({
        token_sha256: digestOf(token),
        labels: JSON.stringify(invitation.labels),
        created_at: invitation.now,
        created_by: invitation.by,
        expires_at: invitation.expiresAt,
      });
    });
    return token;
  }

  /** Lists the one-time tokens that are still valid, oldest first. */
  async invitations(now: number): Promise<Invitation[]> {
    const rows: InvitationRow[] = await this.#database
      .knex('agent_enrolments')
      .where('expires_at', '>', now)
      .orderBy('created_at')
      .select('labels', 'created_at', 'created_by', 'expires_at');
    return rows.map(row => ({
      labels: JSON.parse(row.labels),
      createdAt: Number(row.created_at),
      createdBy: row.created_by,
      expiresAt: Number(row.expires_at),
    }));
  }

  /**
   * Redeems a one-time token.
   *
   * @returns the agent and its own token; undefined if the one-time token is invalid.
   * @throws ConflictError if the name is taken; the token remains valid then.
   */
  async enrol(options: {
    token: string;
    name: string;
    capacity: number;
    now: number;
  }): Promise<{ agent: Agent; token: string } | undefined> {
    const token = makeToken('agent');
    const { name, capacity, now } = options;
    return this.#database.transaction(async trx => {
      const spent = { token_sha256: digestOf(options.token) };
      const invitation = await trx('agent_enrolments')
        .where(spent)
        .where('expires_at', '>', now)
        .first('labels', 'created_by');
      // Of two concurrent requests, only one deletes the token.
      if (
        !invitation ||
        (await trx('agent_enrolments').where(spent).delete()) === 0
      ) {
        return undefined;
      }
      const [row] = await trx<AgentRow>('agents')
        .insert({
          id: randomBytes(8).toString('hex'),
          name,
          token_sha256: digestOf(token),
          labels: invitation.labels,
          state: 'active',
          capacity,
          created_at: now,
          created_by: invitation.created_by,
        })
        .onConflict('name')
        .ignore()
        .returning('*');
      if (!row) {
        throw new ConflictError(`An agent named ${name} already exists`);
      }
      return { agent: toAgent(row), token };
    });
  }

  /** Begins a session after the agent's program has started. */
  async begin(
    id: string,
    session: {
      session: string;
      capacity: number;
      version: string;
      executor: ExecutorsStatus;
      now: number;
    },
  ): Promise<void> {
    await this.#database.transaction(trx =>
      trx<AgentRow>('agents')
        .where({ id })
        .update({
          session: session.session,
          capacity: session.capacity,
          version: session.version,
          executor: JSON.stringify(session.executor),
          seen_at: session.now,
        }),
    );
  }

  async seen(id: string, now: number): Promise<void> {
    await this.#database.transaction(trx =>
      trx<AgentRow>('agents').where({ id }).update({ seen_at: now }),
    );
  }

  /** Changes the state of an agent. @returns false if there is no such agent. */
  async setState(id: string, state: Agent['state']): Promise<boolean> {
    return this.#database.transaction(async trx => {
      const changed = await trx<AgentRow>('agents')
        .where({ id })
        .update({ state });
      return changed > 0;
    });
  }

  /** Removes an agent, which makes its token invalid. @returns false if there was none. */
  async remove(id: string): Promise<boolean> {
    return this.#database.transaction(
      async trx => (await trx('agents').where({ id }).delete()) > 0,
    );
  }
}
