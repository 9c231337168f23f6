import { createHash } from 'node:crypto';
import { Entity, stringifyEntityRef } from '@backstage/catalog-model';
import { normalizedRef, projectOf, teamOf } from './ownership';
import { annotatedNames, comparable, repositoriesOf } from './reportedNames';
import { ServiceMatch, ServiceOwnership } from './ServiceDirectory';
import { NameParts, namePartsOf, similarNames } from './similarNames';

/** Which components claim a name. */
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

/** What the catalog said of components, groups and systems at one moment. */
export class DirectorySnapshot {
  readonly #components = new Map<string, ServiceOwnership>();
  readonly #annotated = new Claims();
  readonly #repositories = new Claims();
  readonly #nameParts = new Map<string, NameParts>();
  readonly #titles = new Map<string, string>();
  /** Two that answer every {@link find} alike have the same. */
  readonly fingerprint: string;

  constructor(entities: Entity[]) {
    const facts: string[] = [];
    for (const entity of entities) {
      const entityRef = stringifyEntityRef(entity);
      this.#titles.set(entityRef, titleOf(entity));
      if (entityRef.startsWith('component:')) {
        facts.push(this.#addComponent(entityRef, entity));
      }
    }
    this.fingerprint = createHash('sha256')
      .update(facts.sort().join('\n'))
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

  /** By ref or name, else by annotation, else by repository: the first of them that anybody claims decides. */
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
    return refs.length > 1
      ? { match: 'ambiguous', candidates: [...refs].sort() }
      : {
          match: 'unknown',
          candidates: similarNames({ name, among: this.#nameParts }),
        };
  }

  /** The name in the ref where the catalog has no such entity. */
  titleOf(entityRef: string): string {
    return (
      this.#titles.get(comparable(entityRef)) ??
      entityRef.slice(entityRef.lastIndexOf('/') + 1)
    );
  }
}
