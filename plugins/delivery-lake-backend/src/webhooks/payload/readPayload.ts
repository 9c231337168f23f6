import { z } from 'zod';

/** A delivery that is not what its sender's documentation says it is. */
export class PayloadError extends Error {
  override readonly name = 'PayloadError';

  /** @param field - dotted path of the field at fault. */
  constructor(message: string, readonly field?: string) {
    super(message);
  }
}

function valueAt(body: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (node, key) =>
      typeof node === 'object' && node !== null
        ? Reflect.get(node, key)
        : undefined,
    body,
  );
}

/**
 * Reads what a mapper needs of a payload; what else it holds is the sender's own.
 *
 * @throws PayloadError naming the first field at fault.
 */
export function readPayload<T extends z.ZodType>(
  schema: T,
  body: unknown,
): z.output<T> {
  const result = schema.safeParse(body);
  if (result.success) {
    return result.data;
  }
  const [issue] = result.error.issues;
  const field = issue.path.join('.');
  if (!field) {
    throw new PayloadError('The body is not a JSON object');
  }
  const missing = valueAt(body, issue.path) === undefined;
  throw new PayloadError(
    missing ? `${field} is required` : `${field}: ${issue.message}`,
    field,
  );
}
