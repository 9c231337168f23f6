import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { InputError } from '@backstage/errors';
import { PlaceholderResolver } from '@backstage/plugin-catalog-node';
import { FileTargets } from './FileTargets';

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
        `$${key} can be used only in files that the configuration names; ${baseUrl} is none`,
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
