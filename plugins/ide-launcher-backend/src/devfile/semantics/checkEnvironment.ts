import { DevfileFault, quote } from '../issue';
import { RawDevfile } from '../schema/devfile';

/** Set by whoever runs the devfile; the specification reserves them. */
const RESERVED = new Set(['PROJECTS_ROOT', 'PROJECT_SOURCE']);
/** What `execve` can carry and a shell can show: no `=`, no NUL, not empty. */
const VARIABLE_NAME = /^[^=\p{Cc}\s]+$/u;

function describe(name: string, value: string): string | null {
  if (RESERVED.has(name)) {
    return `${quote(name)} is set by the platform and cannot be changed`;
  }
  if (!VARIABLE_NAME.test(name)) {
    return `${quote(name)} cannot be the name of an environment variable`;
  }
  return value.includes('\0')
    ? `the value of ${quote(name)} must not contain a NUL character`
    : null;
}

/** Environment variables can be set, and are not the reserved ones. */
export function checkEnvironment(devfile: RawDevfile): DevfileFault[] {
  const lists = [
    ...(devfile.components ?? []).map(({ container }, index) => ({
      path: ['components', index, 'container', 'env'],
      env: container?.env,
    })),
    ...(devfile.commands ?? []).map(({ exec }, index) => ({
      path: ['commands', index, 'exec', 'env'],
      env: exec?.env,
    })),
  ];
  return lists.flatMap(({ path, env = [] }) =>
    env.flatMap(({ name, value }, position) => {
      const message = describe(name, value);
      return message ? [{ path: [...path, position, 'name'], message }] : [];
    }),
  );
}
