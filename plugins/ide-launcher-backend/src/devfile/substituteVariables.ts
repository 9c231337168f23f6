import { DevfileFault, DevfilePath, quote } from './issue';
import { LIMITS } from './parseDevfile';
import { RawDevfile } from './schema/devfile';

/** A devfile with its variables replaced; `warnings` lists references to unknown variables. */
interface SubstitutionResult<T> {
  devfile: T;
  warnings: DevfileFault[];
  faults: DevfileFault[];
}

/** Spaces are trimmed afterwards; matching them here would take cubic time. */
const REFERENCE = /\{\{([^{}]*)\}\}/g;

/**
 * Paths where the specification forbids variables: identity, identifiers, references to
 * identifiers, and enumerations. `*` matches any index.
 */
const EXCLUDED = new Set([
  'schemaVersion',
  'metadata',
  'attributes',
  'variables',
  'events',
  ...['components', 'commands', 'projects', 'dependentProjects'].map(
    list => `${list}.*.attributes`,
  ),
  'starterProjects.*.attributes',
  'components.*.name',
  'components.*.container.volumeMounts.*.name',
  ...['container', 'kubernetes', 'openshift'].flatMap(type =>
    ['name', 'exposure', 'protocol', 'attributes'].map(
      field => `components.*.${type}.endpoints.*.${field}`,
    ),
  ),
  'components.*.image.dockerfile.git.checkoutFrom.remote',
  'commands.*.id',
  'commands.*.exec.component',
  'commands.*.exec.group',
  'commands.*.apply.component',
  'commands.*.apply.group',
  'commands.*.composite.commands',
  'commands.*.composite.group',
  ...['projects', 'dependentProjects', 'starterProjects'].flatMap(list => [
    `${list}.*.name`,
    `${list}.*.git.checkoutFrom.remote`,
  ]),
]);

class Substitution {
  readonly warnings: DevfileFault[] = [];
  exceeded = false;
  #characters = 0;
  readonly #variables: Record<string, string>;

  constructor(variables: Record<string, string>) {
    this.#variables = variables;
  }

  /** Rewrites a value; `place` is its path with `*` for indices. */
  visit<T>(value: T, path: DevfilePath, place: string): T;
  visit(value: unknown, path: DevfilePath, place: string): unknown {
    if (EXCLUDED.has(place)) {
      return value;
    }
    if (typeof value === 'string') {
      return this.#replace(value, path);
    }
    if (Array.isArray(value)) {
      return value.map((item, index) =>
        this.visit(item, [...path, index], `${place}.*`),
      );
    }
    if (typeof value !== 'object' || value === null) {
      return value;
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [
        key,
        this.visit(child, [...path, key], place ? `${place}.${key}` : key),
      ]),
    );
  }

  #replace(text: string, path: DevfilePath): string {
    return text.replace(REFERENCE, (reference, inner: string) => {
      const name = inner.trim();
      if (!Object.hasOwn(this.#variables, name)) {
        const message = `no variable named ${quote(
          name,
        )}; it is left unchanged`;
        this.warnings.push({ path, message });
        return reference;
      }
      const value = this.#variables[name];
      this.#characters += value.length;
      if (this.#characters > LIMITS.characters) {
        this.exceeded = true;
        return '';
      }
      return value;
    });
  }
}

/**
 * Replaces `{{name}}` by the value of a variable in all texts where the specification allows it.
 * References inside values are not replaced. An unknown name is only a warning, because `{{…}}`
 * is also used for other purposes in command lines.
 */
export function substituteVariables<T extends Omit<RawDevfile, 'parent'>>(
  devfile: T,
): SubstitutionResult<T> {
  const substitution = new Substitution(devfile.variables ?? {});
  const replaced = substitution.visit(devfile, [], '');
  const { warnings, exceeded } = substitution;
  return exceeded
    ? {
        devfile,
        warnings,
        faults: [
          {
            path: ['variables'],
            message: 'replacing them makes the file too large',
          },
        ],
      }
    : { devfile: replaced, warnings, faults: [] };
}
