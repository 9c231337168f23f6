import { pathToFileURL } from 'node:url';
import { TestRunner } from 'vitest';

/**
 * A Vitest runner that imports test files by their plain URL. Vitest appends the time to it, so
 * Node.js's compile cache would keep another copy of each file from every run. With the plain URL, the
 * setup file also runs once per process instead of once per test file.
 */
export default class NativeRunner extends TestRunner {
  override importFile(filepath: string): unknown {
    return import(pathToFileURL(filepath).href);
  }
}
