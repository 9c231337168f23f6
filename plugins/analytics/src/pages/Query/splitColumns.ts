/** Cuts `count(), properties['a, b']` at the commas that stand between expressions. */
export function splitColumns(text: string): string[] {
  const parts = [''];
  let depth = 0;
  let isQuoted = false;
  for (const character of text) {
    if (character === "'") {
      isQuoted = !isQuoted;
    } else if (!isQuoted && '(['.includes(character)) {
      depth += 1;
    } else if (!isQuoted && ')]'.includes(character)) {
      depth -= 1;
    }
    if (character === ',' && depth <= 0 && !isQuoted) {
      parts.push('');
    } else {
      parts[parts.length - 1] += character;
    }
  }
  return parts.map(part => part.trim()).filter(part => part !== '');
}
