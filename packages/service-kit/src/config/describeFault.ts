import type { ErrorObject } from 'ajv';

/** One fault of a configuration, by its full key, e.g. `feedback.listen.port must be integer`. */
export function describeFault(configKey: string, error: ErrorObject): string {
  const { keyword, instancePath, params, message } = error;
  const key = configKey + toKey(instancePath);
  if (keyword === 'required') {
    return `${key}.${params.missingProperty} is required`;
  }
  if (keyword === 'additionalProperties') {
    return `${key}.${params.additionalProperty} is not a known key`;
  }
  if (keyword === 'enum') {
    return `${key} must be one of ${params.allowedValues.join(', ')}`;
  }
  if (keyword === 'const') {
    return `${key} must be ${params.allowedValue}`;
  }
  return `${key} ${message ?? 'is not valid'}`;
}

/** `/auth/apiKeys/0/key` becomes `.auth.apiKeys[0].key`. */
function toKey(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map(part => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('');
}
