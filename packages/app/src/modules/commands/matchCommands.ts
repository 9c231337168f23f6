import type { Command } from '@slipway/app-react';

/** Commands of whose name or keywords every typed word begins one; all when nothing is typed. */
export function matchCommands(
  commands: readonly Command[],
  term: string,
): readonly Command[] {
  const typed = wordsOf(term);
  return commands.filter(({ title, keywords }) => {
    const known = wordsOf([title, ...keywords].join(' '));
    return typed.every(word => known.some(name => name.startsWith(word)));
  });
}

function wordsOf(text: string): string[] {
  return text
    .toLocaleLowerCase('en')
    .split(/\s+/)
    .filter(word => word !== '');
}
