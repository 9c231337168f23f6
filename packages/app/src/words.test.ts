import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '../../..');

/** Returns the left column of the table below a heading of the glossary. */
function wordsBelow(heading: string): string[] {
  const glossary = readFileSync(join(ROOT, 'docs/words.md'), 'utf8');
  const [table] = glossary.split(`\n## ${heading}\n`)[1].split('\n## ');
  return [...table.matchAll(/^\| ([^|]+?) +\|/gm)]
    .map(([, words]) => words)
    .filter(words => words !== 'Avoid' && !/^-+$/.test(words));
}

/**
 * Returns every text of a translation file: its string literals apart from imports and
 * keys.
 */
function textsOf(file: string): string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(file, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const texts: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) {
      return;
    }
    const isName = ts.isPropertyAssignment(node.parent ?? node)
      ? (node.parent as ts.PropertyAssignment).name === node
      : false;
    if (
      !isName &&
      (ts.isStringLiteralLike(node) ||
        ts.isTemplateHead(node) ||
        ts.isTemplateMiddleOrTemplateTail(node))
    ) {
      texts.push(node.text);
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return texts;
}

function patternOf(words: string): RegExp {
  const parts = words
    .split(' ')
    .map(part =>
      part === '…' ? '[\\w-]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    );
  return new RegExp(`(?<![\\w-])${parts.join('\\s+')}(?![\\w-])`, 'i');
}

const FORBIDDEN = [
  ...wordsBelow('Words to avoid').map(patternOf),
  // An exclamation mark, and a space before the percent sign.
  /!/,
  /[\d}] %/,
];

const FILES = globSync(
  [
    'plugins/*/src/translation.ts',
    'plugins/*/src/texts/*.ts',
    'packages/*/src/translation.ts',
    'packages/app/src/modules/*/translation.ts',
    'packages/design-system/src/messages.ts',
    'packages/app/src/modules/theme/themeModule.tsx',
  ],
  { cwd: ROOT },
).map(file => join(ROOT, file));

it('detects words to avoid', () => {
  const isForbidden = (text: string) =>
    FORBIDDEN.some(pattern => pattern.test(text));
  expect(isForbidden('The jobs could not be read')).toBe(true);
  expect(isForbidden('Deployments will stand here')).toBe(true);
  expect(isForbidden('{{value}} %')).toBe(true);
  expect(isForbidden('Overtook {{name}}')).toBe(false);
});

it.each(FILES.map(file => [relative(ROOT, file), file]))(
  '%s holds no word that the glossary avoids',
  (_name, file) => {
    const texts = textsOf(file);
    expect(texts.length).toBeGreaterThan(0);
    const found = texts.flatMap(text =>
      FORBIDDEN.filter(pattern => pattern.test(text)).map(
        pattern => `${pattern}: ${text}`,
      ),
    );
    expect(found).toEqual([]);
  },
);

it('reads the texts of every plugin', () => {
  expect(FILES.length).toBeGreaterThanOrEqual(21);
});

const DOCUMENTS = globSync(
  [
    '*.md',
    'bench/*.md',
    'docs/**/*.md',
    '{packages,plugins,services}/*/README.md',
    '{packages,plugins,services}/*/src/**/README.md',
  ],
  { cwd: ROOT },
).filter(file => file !== join('docs', 'words.md'));

it('finds no forbidden words in documents', () => {
  const forbidden = wordsBelow('Words to avoid in documents').map(patternOf);
  const found = DOCUMENTS.flatMap(file => {
    const text = readFileSync(join(ROOT, file), 'utf8')
      .replace(/^```[^]*?^```/gm, '')
      .replace(/`[^`\n]*`/g, '');
    return forbidden.flatMap(pattern => {
      const match = pattern.exec(text);
      return match ? [`${file}: ${match[0]}`] : [];
    });
  });
  expect(DOCUMENTS.length).toBeGreaterThan(60);
  expect(forbidden.length).toBeGreaterThan(30);
  expect(found).toEqual([]);
});
