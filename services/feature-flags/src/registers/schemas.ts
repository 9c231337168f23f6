import { Type } from 'typebox';

export const Description = Type.String({ maxLength: 10_000 });

/** The name of an environment, as it appears in tokens. */
export const EnvironmentName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^(?!__proto__$)[A-Za-z0-9_~-]+$',
  patternDescription: 'must contain only letters, digits and _ ~ -',
});

/** The path of one record. */
export const KeyPath = Type.Object({ key: Type.String() });

/** Returns the fields of a body that its schema defines. */
export function given<T extends object>(
  body: T,
  { properties }: { properties: object },
): T {
  return Object.fromEntries(
    Object.entries(body).filter(([key]) => Object.hasOwn(properties, key)),
  ) as T;
}
