import { reasonIn } from './reasonIn.ts';

describe('reasonIn', () => {
  it.each([
    [
      'starts at the error',
      "(node:7) [DEP0040] DeprecationWarning: old\n\n\u001b[31mError: Failed to compile './src/Page.tsx':\n  × Unexpected token\u001b[39m\n\n  12 | <p\n  13 | </p>\n",
      "Error: Failed to compile './src/Page.tsx': Unexpected token 12 | <p",
    ],
    [
      'leaves out what frames the error',
      "Error: Failed to compile '../src/index.tsx':\n  ├─▶   ×   x Unexpected token `=`\n  │     │     ,-[/app/src/index.tsx:14:1]\n",
      "Error: Failed to compile '../src/index.tsx': Unexpected token `=` [/app/src/index.tsx:14:1]",
    ],
    ['takes any text', 'Out of memory\n', 'Out of memory'],
    ['is empty without text', '\n', ''],
  ])('%s', (_case, errors, reason) => {
    expect(reasonIn(errors)).toBe(reason);
  });

  it('is short', () => {
    expect(reasonIn(`Error: ${'x'.repeat(1_000)}`)).toHaveLength(300);
  });
});
