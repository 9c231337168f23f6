import { pathToFileURL } from 'node:url';
import { TestRunner } from 'vitest';

/**
 * A Vitest runner that imports test files under their own address. Vitest appends the time, so that
 * Node's compile cache would keep another copy of each file from every run. The setup file runs once
 * per process instead of once per file.
 */
export default class NativeRunner extends TestRunner {
  override importFile(filepath: string): unknown {
    return import(pathToFileURL(filepath).href);
  }
}
