import { stringifyEntityRef } from '@backstage/catalog-model';
import {
  CatalogProcessorParser,
  parseEntityYaml,
  processingResult,
} from '@backstage/plugin-catalog-node';

/** As a key of a descriptor they mean nothing, and something else to code that copies objects. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set([
  '__proto__',
  'constructor',
  'prototype',
]);

/** The catalog's own way to read YAML, without keys that reach into JavaScript's own objects. */
export const parseDescriptor: CatalogProcessorParser =
  async function* parseDescriptor({ data, location }) {
    for (const result of parseEntityYaml(data, location)) {
      const key =
        result.type === 'entity' ? forbiddenKeyIn(result.entity) : undefined;
      yield result.type === 'entity' && key
        ? processingResult.inputError(
            location,
            `${stringifyEntityRef(result.entity)}: '${key}' must not be a key`,
          )
        : result;
    }
  };

/** Descriptors are deep at times, and aliases make one value stand in many places. */
function forbiddenKeyIn(root: object): string | undefined {
  const found = new Set<unknown>([root]);
  for (const value of found) {
    if (typeof value === 'object' && value !== null) {
      const key = Object.keys(value).find(each => FORBIDDEN_KEYS.has(each));
      if (key) {
        return key;
      }
      Object.values(value).forEach(each => found.add(each));
    }
  }
  return undefined;
}
