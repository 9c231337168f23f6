import { createHash } from 'node:crypto';
import {
  ANNOTATION_SOURCE_LOCATION,
  DEFAULT_NAMESPACE,
  Entity,
  parseEntityRef,
  RELATION_OWNED_BY,
  RELATION_PART_OF,
  stringifyEntityRef,
} from '@backstage/catalog-model';
import {
  claimedInTrackers,
  DELIVERY_SERVICE_ANNOTATION,
} from '@slipway/plugin-delivery-lake-common';
import { repositoryName } from '../events/repositoryName';
import { ServiceMatch, ServiceOwnership } from './ServiceDirectory';
import { NameParts, namePartsOf, similarNames } from './similarNames';

/** Normalizes an entity ref for comparison; undefined if it is invalid. */
function normalizedRef(
  ref: string,
  context: { defaultKind: string; defaultNamespace?: string },
): string | undefined {
  try {
    return stringifyEntityRef(parseEntityRef(ref, context));
  } catch {
    return undefined;
  }
}

/**
 * Returns an entity's first relation to a kind, or its own field while the catalog has not
 * stitched relations of that type.
 */
function related(
  entity: Entity,
  options: {
    type: string;
    kind: 'Group' | 'System';
    field: 'owner' | 'system';
  },
): string | null {
  const { type, kind, field } = options;
  const prefix = `${kind.toLocaleLowerCase('en-US')}:`;
  const context = {
    defaultKind: kind,
    defaultNamespace: entity.metadata.namespace ?? DEFAULT_NAMESPACE,
  };
  const relations = (entity.relations ?? []).filter(it => it.type === type);
  const own = entity.spec?.[field];
  const refs =
    relations.length > 0 || typeof own !== 'string'
      ? relations.map(({ targetRef }) => targetRef)
      : [own];
  return (
    refs
      .map(ref => normalizedRef(ref, context))
      .find(ref => ref?.startsWith(prefix)) ?? null
  );
}

/** Returns the group that owns a component; null if its owner is a user or unknown. */
function teamOf(component: Entity): string | null {
  return related(component, {
    type: RELATION_OWNED_BY,
    kind: 'Group',
    field: 'owner',
  });
}

/** Returns the system of a component. */
function projectOf(component: Entity): string | null {
  return related(component, {
    type: RELATION_PART_OF,
    kind: 'System',
    field: 'system',
  });
}

/** `github.com/project-slug`, `gitlab.com/project-slug`, `gitea.com/repo-slug`, … */
const SLUG_ANNOTATION = /^[a-z0-9.-]+\/(project|repo)-slug$/;

/** Normalizes a name to lower case, as forges and entity refs do. */
function comparable(name: string): string {
  return name.trim().toLocaleLowerCase('en-US');
}

function distinct(names: (string | undefined)[]): string[] {
  return [...new Set(names.flatMap(name => (name ? [comparable(name)] : [])))];
}

/**
 * Returns the names by which senders and incident trackers know a component, from its annotations.
 */
function annotatedNames({ metadata }: Entity): string[] {
  const annotations: Record<string, string> = metadata.annotations ?? {};
  const names = annotations[DELIVERY_SERVICE_ANNOTATION] ?? '';
  return distinct([
    ...names.split(',').map(name => name.trim()),
    ...claimedInTrackers(annotations),
  ]);
}

/** Returns the repositories of a component, by their forges' names. */
function repositoriesOf({ metadata }: Entity): string[] {
  const annotations = Object.entries(metadata.annotations ?? {});
  const slugs = annotations
    .filter(([annotation]) => SLUG_ANNOTATION.test(annotation))
    .map(([, slug]) => slug);
  const location = metadata.annotations?.[ANNOTATION_SOURCE_LOCATION];
  const address = location?.startsWith('url:') ? location.slice(4) : undefined;
  return distinct([...slugs, address && repositoryName(address)]);
}

/** Collects which components claim each name. */
class Claims {
  readonly #refs = new Map<string, string[]>();

  add(name: string, ref: string): void {
    this.#refs.set(name, [...(this.#refs.get(name) ?? []), ref]);
  }

  of(name: string): string[] {
    return this.#refs.get(name) ?? [];
  }
}

function titleOf({ metadata, spec }: Entity): string {
  const profile = spec?.profile;
  const displayName =
    typeof profile === 'object' && profile && 'displayName' in profile
      ? profile.displayName
      : undefined;
  return (
    metadata.title ??
    (typeof displayName === 'string' ? displayName : metadata.name)
  );
}

/** A snapshot of the catalog's components, groups and systems. */
export class DirectorySnapshot {
  readonly #components = new Map<string, ServiceOwnership>();
  readonly #annotated = new Claims();
  readonly #repositories = new Claims();
  readonly #nameParts = new Map<string, NameParts>();
  readonly #titles = new Map<string, string>();
  readonly #facts: string[] = [];

  constructor(entities: Entity[]) {
    this.add(entities);
  }

  /**
   * Adds entities. A large catalog should be added page by page, so that it does not block other
   * work.
   */
  add(entities: Entity[]): void {
    for (const entity of entities) {
      const entityRef = stringifyEntityRef(entity);
      this.#titles.set(entityRef, titleOf(entity));
      if (entityRef.startsWith('component:')) {
        this.#facts.push(this.#addComponent(entityRef, entity));
      }
    }
  }

  /** Equal for two snapshots with the same {@link find} results. */
  get fingerprint(): string {
    return createHash('sha256')
      .update(this.#facts.toSorted().join('\n'))
      .digest('hex');
  }

  #addComponent(entityRef: string, entity: Entity): string {
    const ownership = {
      entityRef,
      team: teamOf(entity),
      project: projectOf(entity),
    };
    const names = annotatedNames(entity);
    const repositories = repositoriesOf(entity);
    this.#components.set(entityRef, ownership);
    this.#nameParts.set(entityRef, namePartsOf(entity.metadata.name));
    names.forEach(name => this.#annotated.add(name, entityRef));
    repositories.forEach(name => this.#repositories.add(name, entityRef));
    return JSON.stringify([ownership, names.sort(), repositories.sort()]);
  }

  /**
   * Finds a component by ref or name, otherwise by annotation, otherwise by repository; the first
   * of these with a match decides.
   */
  find(name: string): ServiceMatch {
    const ref = normalizedRef(name.trim(), { defaultKind: 'Component' });
    const component = ref && this.#components.get(ref);
    if (component) {
      return { match: 'known', ownership: component };
    }
    const wanted = comparable(name);
    const annotated = this.#annotated.of(wanted);
    const refs =
      annotated.length > 0 ? annotated : this.#repositories.of(wanted);
    const [claimant] = refs;
    const ownership = claimant && this.#components.get(claimant);
    if (ownership && refs.length === 1) {
      return { match: 'known', ownership };
    }
    if (refs.length > 1) {
      return { match: 'ambiguous', candidates: [...refs].sort() };
    }
    const among = this.#nameParts;
    return {
      match: 'unknown',
      // Computed lazily: comparing all names takes milliseconds, and few callers need the result.
      get candidates() {
        return similarNames({ name, among });
      },
    };
  }

  /** Returns an entity's title; the name in the ref if the catalog does not have it. */
  titleOf(entityRef: string): string {
    return (
      this.#titles.get(comparable(entityRef)) ??
      entityRef.slice(entityRef.lastIndexOf('/') + 1)
    );
  }
}
