import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Entity, LocationEntity } from '@backstage/catalog-model';
import { InputError } from '@backstage/errors';
import {
  CatalogProcessor,
  CatalogProcessorEmit,
  LocationSpec,
  PlaceholderResolver,
} from '@backstage/plugin-catalog-node';
import { FileTargets } from './FileTargets';

/**
 * Restricts the files that descriptors may refer to, as for registrations: otherwise, a `Location` entity
 * of any descriptor could make the portal read any of its files. Targets in the operator's
 * configuration are not restricted.
 */
export class FileLocationGuard implements CatalogProcessor {
  readonly #files: FileTargets;
  readonly #configured: ReadonlySet<string>;

  constructor(options: { files: FileTargets; configuredFiles: string[] }) {
    this.#files = options.files;
    this.#configured = new Set(options.configuredFiles);
  }

  getProcessorName(): string {
    return 'FileLocationGuard';
  }

  async preProcessEntity(
    entity: Entity,
    location: LocationSpec,
    _emit: CatalogProcessorEmit,
    originLocation: LocationSpec,
  ): Promise<Entity> {
    if (entity.kind !== 'Location' || this.#isConfigured(originLocation)) {
      return entity;
    }
    const {
      type = location.type,
      target,
      targets,
    } = (entity as LocationEntity).spec ?? {};
    if (type === 'file') {
      for (const each of [target, ...(targets ?? [])]) {
        if (each !== undefined) {
          await this.#files.resolve(
            fromDescriptor(String(each), location.target),
          );
        }
      }
    }
    return entity;
  }

  #isConfigured({ type, target }: LocationSpec): boolean {
    return type === 'file' && this.#configured.has(target);
  }
}

/** Resolves a target as the catalog does: relative to the descriptor if it begins with a dot. */
function fromDescriptor(target: string, descriptor: string): string {
  return target.startsWith('.') && path.isAbsolute(descriptor)
    ? path.join(path.dirname(descriptor), target)
    : target;
}

const READABLE = /\.(?:ya?ml|json|graphql|proto|txt)$/;

/**
 * Creates the resolver of `$file: <relative path>`, which is replaced by the text of a file
 * relative to the entity's descriptor. Backstage's `$text` only supports descriptors with a URL.
 *
 * A descriptor in the configuration may name files anywhere; one registered from a configured folder,
 * only files in that folder; one read from a URL, none. The resolver throws InputError for anything
 * else.
 */
export function createFilePlaceholder(files: FileTargets): PlaceholderResolver {
  return async ({ key, value, baseUrl }) => {
    if (!path.isAbsolute(baseUrl)) {
      throw new InputError(
        `$${key} can be used only in files listed in the configuration, not in ${baseUrl}`,
      );
    }
    if (typeof value !== 'string' || !READABLE.test(value)) {
      throw new InputError(
        `$${key} must be the relative path of a YAML, JSON, GraphQL, protobuf or text file`,
      );
    }
    const file = await files.resolveBeside(baseUrl, value);
    return readFile(file, 'utf8');
  };
}
