import { setImmediate as turn } from 'node:timers/promises';
import { chunksOf, type Transaction } from '@slipway/service-kit';
import type { ChangesOfEvent, PersonChange } from '../PersonChange.ts';
import { ProfileDraft } from '../Profile.ts';
import {
  CHUNK,
  type IdRow,
  type PersonRow,
  toColumns,
  toProfile,
} from './personRows.ts';
import { ProjectGroups } from './ProjectGroups.ts';

/** Number of events whose changes are applied before other work gets a turn. */
const AT_ONCE = 50;

interface Known {
  readonly profile: ProfileDraft;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly isIdentified: boolean;
}

/** The persons and groups of one project that changes affect. */
class ProjectPeople {
  readonly #trx: Transaction;
  readonly #key: { project_id: string };
  readonly #version: number;
  readonly #personOf = new Map<string, string>();
  readonly #persons = new Map<string, Known>();
  readonly #changedIds = new Set<string>();
  readonly #changedPersons = new Set<string>();
  readonly #gone = new Set<string>();
  readonly #groups: ProjectGroups;

  constructor(
    trx: Transaction,
    options: { projectId: string; version: number },
  ) {
    this.#trx = trx;
    this.#groups = new ProjectGroups(trx, options);
    this.#key = { project_id: options.projectId };
    this.#version = options.version;
  }

  async load(events: readonly ChangesOfEvent[]): Promise<void> {
    await this.#groups.load(events);
    const named = new Set(
      events.flatMap(({ distinctId, changes }) => [
        distinctId,
        ...changes.flatMap(each => (each.kind === 'merge' ? [each.from] : [])),
      ]),
    );
    for (const ids of chunksOf([...named], CHUNK)) {
      const rows: IdRow[] = await this.#trx('person_ids')
        .where(this.#key)
        .whereIn('distinct_id', ids);
      rows.forEach(row => this.#personOf.set(row.distinct_id, row.person));
    }
    const persons = new Set([...named].map(id => this.#resolve(id)));
    for (const ids of chunksOf([...persons], CHUNK)) {
      const rows: PersonRow[] = await this.#trx('persons')
        .where(this.#key)
        .whereIn('person', ids);
      rows.forEach(row => this.#persons.set(row.person, toKnown(row)));
    }
  }

  async apply(event: ChangesOfEvent, change: PersonChange): Promise<void> {
    const { distinctId, at } = event;
    switch (change.kind) {
      case 'seen':
        this.#see(this.#resolve(distinctId), at);
        return;
      case 'update': {
        const { profile } = this.#see(this.#resolve(distinctId), at);
        profile.update(change, at);
        return;
      }
      case 'merge':
        await this.#merge(event, change);
        return;
      case 'group':
        this.#groups.update(at, change);
        return;
      default:
        change satisfies never;
    }
  }

  async save(): Promise<void> {
    await this.#groups.save();
    const version = this.#version;
    for (const ids of chunksOf([...this.#gone], CHUNK)) {
      await this.#trx('persons')
        .where(this.#key)
        .whereIn('person', ids)
        .delete();
    }
    for (const ids of chunksOf([...this.#changedPersons], CHUNK)) {
      const rows = ids.flatMap(person => {
        const known = this.#persons.get(person);
        return known
          ? [{ ...this.#key, person, ...toRow(known), version }]
          : [];
      });
      if (rows.length > 0) {
        await this.#trx('persons')
          .insert(rows)
          .onConflict(['project_id', 'person'])
          .merge();
      }
    }
    for (const ids of chunksOf([...this.#changedIds], CHUNK)) {
      await this.#trx('person_ids')
        .insert(
          ids.map(id => ({
            ...this.#key,
            distinct_id: id,
            person: this.#resolve(id),
            version,
          })),
        )
        .onConflict(['project_id', 'distinct_id'])
        .merge();
    }
  }

  #resolve(id: string): string {
    return this.#personOf.get(id) ?? id;
  }

  #set(person: string, known: Known): void {
    this.#persons.set(person, known);
    this.#changedPersons.add(person);
    this.#gone.delete(person);
  }

  #see(person: string, at: number): Known {
    const known = this.#persons.get(person);
    const seen: Known = {
      profile: known?.profile ?? new ProfileDraft(),
      isIdentified: known?.isIdentified ?? false,
      createdAt: Math.min(known?.createdAt ?? at, at),
      lastSeenAt: Math.max(known?.lastSeenAt ?? at, at),
    };
    this.#set(person, seen);
    return seen;
  }

  async #merge(
    { distinctId, at }: ChangesOfEvent,
    { from, force }: Extract<PersonChange, { kind: 'merge' }>,
  ): Promise<void> {
    const into = this.#resolve(distinctId);
    const other = this.#resolve(from);
    const kept = this.#see(into, at);
    const lost = other === into ? undefined : this.#persons.get(other);
    // Two identified persons are not merged unless the sender forces it.
    if (other === into || (lost?.isIdentified && !force)) {
      this.#set(into, { ...kept, isIdentified: true });
      return;
    }
    if (lost) {
      kept.profile.merge(lost.profile);
    }
    this.#set(into, {
      profile: kept.profile,
      createdAt: Math.min(kept.createdAt, lost?.createdAt ?? at),
      lastSeenAt: Math.max(kept.lastSeenAt, lost?.lastSeenAt ?? at),
      isIdentified: true,
    });
    this.#persons.delete(other);
    this.#changedPersons.delete(other);
    this.#gone.add(other);
    const stored: IdRow[] = await this.#trx('person_ids').where({
      ...this.#key,
      person: other,
    });
    const pointing = [...this.#personOf].filter(
      ([, person]) => person === other,
    );
    for (const id of [
      other,
      ...stored.map(row => row.distinct_id),
      ...pointing.map(([each]) => each),
    ]) {
      // Keep the newer owner if these changes have moved the id since.
      if ((this.#personOf.get(id) ?? other) === other) {
        this.#personOf.set(id, into);
        this.#changedIds.add(id);
      }
    }
  }
}

/**
 * Applies changes in order: reads all affected rows first, and writes them at the end.
 * @param options.version - assigned to all written rows.
 */
export async function applyChanges(
  trx: Transaction,
  options: { changes: readonly ChangesOfEvent[]; version: number },
): Promise<void> {
  const projectIds = new Set(options.changes.map(each => each.projectId));
  for (const projectId of projectIds) {
    const changes = options.changes.filter(
      each => each.projectId === projectId,
    );
    const people = new ProjectPeople(trx, {
      projectId,
      version: options.version,
    });
    await people.load(changes);
    for (const some of chunksOf(changes, AT_ONCE)) {
      for (const event of some) {
        for (const change of event.changes) {
          await people.apply(event, change);
        }
      }
      await turn();
    }
    await people.save();
  }
}

function toKnown(row: PersonRow): Known {
  return {
    profile: new ProfileDraft(toProfile(row)),
    createdAt: Number(row.created_at),
    lastSeenAt: Number(row.last_seen_at),
    isIdentified: Boolean(row.is_identified),
  };
}

function toRow(
  known: Known,
): Omit<PersonRow, 'project_id' | 'person' | 'version'> {
  return {
    ...toColumns(known.profile.profile()),
    created_at: known.createdAt,
    last_seen_at: known.lastSeenAt,
    is_identified: known.isIdentified,
  };
}

/**
 * Matches codes of errors that the values of a statement cause, so that retrying it is
 * pointless: the SQLSTATE classes of invalid data, violated constraints and exceeded limits,
 * and SQLite's equivalents.
 */
const IMPOSSIBLE =
  /^(?:(?:21|22|23|54)[0-9A-Z]{3}|SQLITE_(?:CONSTRAINT|MISMATCH|TOOBIG)\w*)$/;

/**
 * Checks whether an error means that the database can never store the values. Other errors,
 * such as a lost connection or a full disk, are temporary.
 */
export function isImpossible(error: unknown): boolean {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === 'string' && IMPOSSIBLE.test(code);
}
