/** Reads the fields of a context, with `name=value` in each line. */
export function readFields(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split('\n').flatMap(line => {
      const at = line.indexOf('=');
      const name = line.slice(0, at).trim();
      return at > 0 && name ? [[name, line.slice(at + 1).trim()]] : [];
    }),
  );
}
