import {
  Entity,
  stringifyEntityRef,
  stringifyLocationRef,
} from '@backstage/catalog-model';
import {
  CatalogProcessorParser,
  LocationSpec,
  processingResult,
} from '@backstage/plugin-catalog-node';
import {
  findDuplicateKey,
  findYamlStructureFault,
  YamlLimits,
} from '@slipway/portal-kit';
import { LineCounter, parseAllDocuments } from 'yaml';

/** Keys that have no meaning in a descriptor, but could modify prototypes when an object is copied. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set([
  '__proto__',
  'constructor',
  'prototype',
]);

/** Backstage's own limit for each part of an entity reference. */
const MAX_REF_PART = 63;

/** Limits of a file that any user may register; 50,000 tokens are about 7,000 lines. */
const LIMITS: YamlLimits = { tokens: 50_000, indentation: 256, depth: 64 };

/** Limits of a file written by the operator. */
const CONFIGURED_LIMITS: YamlLimits = { ...LIMITS, tokens: Infinity };

/**
 * Creates the catalog's parser of YAML descriptors. It runs in linear time, enforces
 * {@link LIMITS} for all files except the operator's, and rejects keys that modify JavaScript's
 * prototypes.
 *
 * @param options.configuredTargets - targets of `catalog.locations`.
 */
export function createDescriptorParser(options: {
  configuredTargets: ReadonlySet<string>;
}): CatalogProcessorParser {
  return async function* parseDescriptor({ data, location }) {
    const limits = options.configuredTargets.has(location.target)
      ? CONFIGURED_LIMITS
      : LIMITS;
    for (const result of parseDocuments(data.toString('utf8'), limits)) {
      yield 'fault' in result
        ? processingResult.generalError(
            location,
            `YAML error at ${stringifyLocationRef(location)}, ${result.fault}`,
          )
        : entityResult(result.value, location);
    }
  };
}

/** Parses the documents of a file, without empty ones. */
function* parseDocuments(
  text: string,
  limits: YamlLimits,
): Generator<{ value: unknown } | { fault: string }> {
  const lines = new LineCounter();
  const structure = findYamlStructureFault(text, limits);
  if (structure) {
    yield { fault: structure.message };
    return;
  }
  const documents = parseAllDocuments(text, {
    merge: false,
    // Checked below, in linear time.
    uniqueKeys: false,
    // Rendering the context of each error is quadratic.
    prettyErrors: false,
    lineCounter: lines,
  });
  for (const document of documents) {
    const error = document.errors[0] ?? findDuplicateKey(document);
    if (error) {
      const { line, col } = lines.linePos(error.pos[0]);
      yield { fault: `${error.message} at line ${line}, column ${col}` };
      continue;
    }
    try {
      const value: unknown = document.toJS();
      if (value !== null) {
        yield { value };
      }
    } catch (thrown) {
      yield {
        fault: thrown instanceof Error ? thrown.message : 'not readable',
      };
    }
  }
}

function entityResult(value: unknown, location: LocationSpec) {
  if (!isObject(value)) {
    return processingResult.generalError(
      location,
      `Expected object at root, got ${typeof value}`,
    );
  }
  // Missing fields are reported by the catalog's next check.
  const entity = value as Entity;
  const fault = tooLongPart(entity) ?? forbiddenKeyIn(entity);
  return fault
    ? processingResult.inputError(location, fault)
    : processingResult.entity(location, entity);
}

/**
 * Returns an error message if a part of the entity reference is too long. The catalog's messages repeat
 * these parts, and long ones make it slow.
 */
function tooLongPart({ kind, metadata }: Entity): string | undefined {
  const parts = {
    kind,
    'metadata.namespace': metadata?.namespace,
    'metadata.name': metadata?.name,
  };
  const found = Object.entries(parts).find(
    ([, part]) => typeof part === 'string' && part.length > MAX_REF_PART,
  );
  return found && `${found[0]} must have at most ${MAX_REF_PART} characters`;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns an error message if there is a forbidden key. Iterative, because descriptors can be deeply
 * nested; visits each value once, because aliases can repeat it in many places.
 */
function forbiddenKeyIn(entity: Entity): string | undefined {
  const found = new Set<unknown>([entity]);
  for (const value of found) {
    if (typeof value === 'object' && value !== null) {
      const key = Object.keys(value).find(each => FORBIDDEN_KEYS.has(each));
      if (key) {
        return `${nameOf(entity)}: '${key}' must not be a key`;
      }
      Object.values(value).forEach(each => found.add(each));
    }
  }
  return undefined;
}

function nameOf(entity: Entity): string {
  try {
    return stringifyEntityRef(entity);
  } catch {
    return 'The descriptor';
  }
}
