const REFERENCE = /(\$?)\$\{([^{}]*)\}/g;

/** An environment variable that the configuration asks for. */
export interface VariableReference {
  /** The key in the configuration, e.g. `feedback.publicUrl`. */
  key: string;
  /** e.g. `FEEDBACK_PUBLIC_URL`. */
  variable: string;
}

/**
 * The variables that a configuration must be given: `${NAME}` within a string, and
 * `{ $env: NAME }`. `${NAME:-default}` names one that may be left out.
 *
 * @param configuration - as it is written, nothing replaced yet.
 */
export function* requiredVariables(
  configuration: unknown,
  key = '',
): Generator<VariableReference> {
  if (typeof configuration === 'string') {
    for (const [, escape, expression] of configuration.matchAll(REFERENCE)) {
      if (!escape && !expression.includes(':-')) {
        yield { key, variable: expression.trim() };
      }
    }
  } else if (Array.isArray(configuration)) {
    for (const [index, element] of configuration.entries()) {
      yield* requiredVariables(element, `${key}[${index}]`);
    }
  } else if (configuration && typeof configuration === 'object') {
    const { $env: variable } = configuration as { $env?: unknown };
    if (typeof variable === 'string') {
      yield { key, variable };
      return;
    }
    for (const [name, member] of Object.entries(configuration)) {
      yield* requiredVariables(member, key ? `${key}.${name}` : name);
    }
  }
}
