/** Shortens the name of whoever triggered a build for people: `user:default/ada` is `ada`. */
export function shortName(by: string): string {
  return by.replace(/^user:default\//, '');
}
