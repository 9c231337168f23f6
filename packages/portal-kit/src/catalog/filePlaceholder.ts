import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { InputError } from '@backstage/errors';
import { PlaceholderResolverParams } from '@backstage/plugin-catalog-node';

const READABLE = /\.(?:ya?ml|json|graphql|proto|txt)$/;

/**
 * Resolves `$file: <relative path>` to the text of a file beside the entity's
 * own. Backstage's `$text` can do that for descriptors behind a URL alone.
 *
 * Works for descriptors that the configuration names by path, and for nobody
 * else: a descriptor that was read from a URL must not read the portal's disk.
 *
 * @throws InputError for another descriptor, or a file that is no description.
 */
export async function resolveFilePlaceholder(
  params: Pick<PlaceholderResolverParams, 'key' | 'value' | 'baseUrl' | 'emit'>,
): Promise<string> {
  const { key, value, baseUrl } = params;
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
  return readFile(path.resolve(path.dirname(baseUrl), value), 'utf8');
}
