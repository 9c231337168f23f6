/** Checks whether a variable can be set in a shell. */
export function isVariable(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name);
}

/**
 * Returns a script that sets variables and becomes a program without standard input. It is meant
 * for the input of a shell: arguments are visible to others, and end up in audit logs. Variables
 * that no shell can set are left out.
 *
 * @param options.directory - the work directory; by default that of the shell.
 */
export function shellScript(
  argv: readonly string[],
  options: {
    environment: Readonly<Record<string, string>>;
    directory?: string;
  },
): string {
  const { environment, directory } = options;
  return [
    ...Object.entries(environment)
      .filter(([name]) => isVariable(name))
      .map(([name, value]) => `export ${name}=${quoted(value)}`),
    ...(directory === undefined ? [] : [`cd ${quoted(directory)}`]),
    `exec ${argv.map(quoted).join(' ')} < /dev/null\n`,
  ].join('\n');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
