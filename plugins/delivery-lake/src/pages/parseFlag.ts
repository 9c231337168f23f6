/** `true`, `false` or, of anything else, neither. */
export function parseFlag(text: string): boolean | undefined {
  if (text === 'true') {
    return true;
  }
  return text === 'false' ? false : undefined;
}
