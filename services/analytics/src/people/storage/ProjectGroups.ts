import { chunksOf, type Transaction } from '@slipway/service-kit';
import type { ChangesOfEvent, GroupChange } from '../PersonChange.ts';
import { ProfileDraft } from '../Profile.ts';
import { CHUNK, type GroupRow, toColumns, toProfile } from './personRows.ts';

const MAX_GROUP_TYPES = 5;

interface KnownGroup {
  readonly type: string;
  readonly key: string;
  readonly profile: ProfileDraft;
  readonly createdAt: number;
}

/** The groups of one project that changes affect. */
export class ProjectGroups {
  readonly #trx: Transaction;
  readonly #project: { project_id: string };
  readonly #version: number;
  readonly #types: string[] = [];
  readonly #known = new Map<string, KnownGroup>();
  readonly #changed = new Set<string>();
  #knownTypes = 0;

  constructor(
    trx: Transaction,
    options: { projectId: string; version: number },
  ) {
    this.#trx = trx;
    this.#project = { project_id: options.projectId };
    this.#version = options.version;
  }

  async load(events: readonly ChangesOfEvent[]): Promise<void> {
    const changes = events
      .flatMap(event => event.changes)
      .filter(change => change.kind === 'group');
    if (changes.length === 0) {
      return;
    }
    const types: { name: string }[] = await this.#trx('group_types')
      .where(this.#project)
      .orderBy('position');
    this.#types.push(...types.map(({ name }) => name));
    this.#knownTypes = types.length;
    const keysOf = Map.groupBy(changes, ({ type }) => type);
    for (const [type, groups] of keysOf) {
      for (const keys of chunksOf(
        [...new Set(groups.map(({ key }) => key))],
        CHUNK,
      )) {
        const rows: GroupRow[] = await this.#trx('person_groups')
          .where({ ...this.#project, type })
          .whereIn('key', keys);
        rows.forEach(row =>
          this.#known.set(nameOf(row), {
            type,
            key: row.key,
            profile: new ProfileDraft(toProfile(row)),
            createdAt: Number(row.created_at),
          }),
        );
      }
    }
  }

  /** Applies a change of a group. Ignores groups of a sixth type: a project has at most five types. */
  update(at: number, change: GroupChange): void {
    const { type, key, set } = change;
    if (!this.#types.includes(type)) {
      if (this.#types.length >= MAX_GROUP_TYPES) {
        return;
      }
      this.#types.push(type);
    }
    const known = this.#known.get(nameOf(change));
    if (known && Object.keys(set).length === 0) {
      return;
    }
    const profile = known?.profile ?? new ProfileDraft();
    profile.update({ set, setOnce: {}, unset: [] }, at);
    this.#known.set(nameOf(change), {
      type,
      key,
      profile,
      createdAt: Math.min(known?.createdAt ?? at, at),
    });
    this.#changed.add(nameOf(change));
  }

  async save(): Promise<void> {
    const types = this.#types
      .map((name, position) => ({ ...this.#project, name, position }))
      .slice(this.#knownTypes);
    if (types.length > 0) {
      await this.#trx('group_types').insert(types);
    }
    for (const names of chunksOf([...this.#changed], CHUNK)) {
      const rows = names.flatMap(name => {
        const group = this.#known.get(name);
        return group
          ? [
              {
                ...this.#project,
                type: group.type,
                key: group.key,
                ...toColumns(group.profile.profile()),
                created_at: group.createdAt,
                version: this.#version,
              },
            ]
          : [];
      });
      await this.#trx('person_groups')
        .insert(rows)
        .onConflict(['project_id', 'type', 'key'])
        .merge();
    }
  }
}

function nameOf({ type, key }: { type: string; key: string }): string {
  return JSON.stringify([type, key]);
}
