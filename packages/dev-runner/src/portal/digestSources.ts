import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceClosure } from '../sources/workspaceClosure.ts';

/** What no build reads: what is installed or made, tests, and pages for people. */
const NOT_SOURCES = /^(node_modules|dist|dist-types|coverage)$|^\.|\.md$/;
const TEST = /\.test\.tsx?$|^__\w+__$/;
/** What is read beside the packages. */
const OF_THE_REPOSITORY = ['yarn.lock', 'app-config.yaml', 'tsconfig.json'];

/**
 * One value for the content of all that a package is built from: itself, the workspace
 * packages that it depends on, and the versions of everything else.
 *
 * @param root - absolute path of the repository.
 */
export function digestSources(root: string, packageName: string): string {
  const folders = workspaceClosure(root, packageName);
  const files = [
    ...folders.flatMap(filesIn),
    ...OF_THE_REPOSITORY.map(file => path.join(root, file)),
  ];
  const hash = createHash('sha256');
  for (const file of files.sort()) {
    const content = readFileSync(file);
    hash.update(`${path.relative(root, file)}\0${content.length}\0`);
    hash.update(content);
  }
  return hash.digest('hex');
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !NOT_SOURCES.test(name) && !TEST.test(name))
    .flatMap(entry => {
      const file = path.join(folder, entry.name);
      return entry.isDirectory() ? filesIn(file) : [file];
    });
}
