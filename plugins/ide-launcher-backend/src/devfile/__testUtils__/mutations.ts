/** A changed document, with a label that describes the change. */
export interface Mutation {
  label: string;
  value: unknown;
}

/** Values of every type, including texts at the limits of the schema's patterns. */
const REPLACEMENTS: readonly unknown[] = [
  null,
  true,
  7,
  7.5,
  '',
  'a',
  'A b',
  'deploy',
  'a-name-longer-than-15',
  '../x',
  'ends-',
  'x'.repeat(64),
  [],
  {},
  ['a'],
  [{}],
  { a: 'b' },
];

type Container = Record<string | number, unknown>;

function places(
  value: unknown,
  path: (string | number)[] = [],
): (string | number)[][] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return keys.flatMap(key => [
    [...path, key],
    ...places(Reflect.get(value, key), [...path, key]),
  ]);
}

function changed(
  document: unknown,
  path: (string | number)[],
  change: (holder: Container, key: string | number) => void,
): unknown {
  const copy = structuredClone(document);
  const holder = path
    .slice(0, -1)
    .reduce<Container>((at, key) => at[key] as Container, copy as Container);
  change(holder, path[path.length - 1]);
  return copy;
}

/**
 * Returns a copy without the value at a path; other list elements keep their positions.
 */
export function without(document: unknown, path: (string | number)[]): unknown {
  return changed(document, path, (holder, key) => delete holder[key]);
}

/** Yields documents that differ from the given one in one place. */
export function* mutate(document: unknown): Generator<Mutation> {
  for (const path of places(document)) {
    const at = path.join('.');
    if (typeof path[path.length - 1] === 'string') {
      yield {
        label: `${at} left out`,
        value: without(document, path),
      };
      yield {
        label: `unknown field beside ${at}`,
        value: changed(document, path, holder => {
          holder.unknownField = 'x';
        }),
      };
    }
    for (const replacement of REPLACEMENTS) {
      yield {
        label: `${at} = ${JSON.stringify(replacement)}`,
        value: changed(document, path, (holder, key) => {
          holder[key] = replacement;
        }),
      };
    }
  }
}
