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
 * Holds descriptors to the same files as registrations: a `Location` entity may
 * lead on to files, and one that came from elsewhere must not lead to any file
 * that the portal can read. What the operator's own configuration names is free.
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

/** Resolves a target as the catalog does: relative to the descriptor when it begins with a dot. */
function fromDescriptor(target: string, descriptor: string): string {
  return target.startsWith('.') && path.isAbsolute(descriptor)
    ? path.join(path.dirname(descriptor), target)
    : target;
}

const READABLE = /\.(?:ya?ml|json|graphql|proto|txt)$/;

/**
 * Makes the resolver of `$file: <relative path>`, which is replaced by the text of a file
 * beside the entity's own. Backstage's `$text` can do that for descriptors behind a URL
 * alone.
 *
 * A descriptor that the configuration names may read wherever it points; one that
 * somebody registered from a configured folder, within that folder alone; and one that
 * was read from a URL, nothing. The resolver throws InputError for anything else.
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
