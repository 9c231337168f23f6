import { findYamlStructureFault } from './yamlStructure';

const LIMITS = { tokens: 25_000, indentation: 256, depth: 64 };
const DEEP = 'the file is nested too deeply';

it.each([
  ['blocks', '- '.repeat(100)],
  ['flows', '['.repeat(100)],
  ['blocks after a stray bracket', `]\n---\n${'- '.repeat(100)}`],
  ['flows after stray brackets', `${'}'.repeat(100)}\n${'['.repeat(100)}`],
])('rejects nested %s', (_name, text) => {
  expect(findYamlStructureFault(`${text}x`, LIMITS)?.message).toBe(DEEP);
});

it('accepts what is nested within the limit', () => {
  expect(findYamlStructureFault('a: [[{b: c}], [d]]\n', LIMITS)).toBeNull();
});
