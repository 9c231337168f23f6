/** Every string under a value, with its key, e.g. `auth.apiKeys[0].key`. */
export function* stringsOf(
  value: unknown,
  key = '',
): Generator<[key: string, value: string]> {
  if (typeof value === 'string') {
    yield [key, value];
  } else if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      yield* stringsOf(element, `${key}[${index}]`);
    }
  } else if (value && typeof value === 'object') {
    for (const [name, member] of Object.entries(value)) {
      yield* stringsOf(member, key ? `${key}.${name}` : name);
    }
  }
}
