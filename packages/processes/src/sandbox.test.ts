import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findProgram, mountArguments } from './index.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'sandbox-'));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Returns the targets of one bubblewrap option, in order. */
function placesOf(args: readonly string[], option: string): string[] {
  return args.flatMap((arg, index) =>
    arg === option ? [args[index + 2]] : [],
  );
}

describe('mountArguments', () => {
  it('mounts outer directories before inner ones, and skips missing paths', () => {
    const [outer, inner] = [directory, path.join(directory, 'inner')];
    mkdirSync(inner);
    const args = mountArguments({
      etc: ['passwd'],
      readable: [inner, outer, inner, path.join(directory, 'none')],
      files: [['/here/group', '/etc/group']],
      writable: [['/here/work', '/build/work']],
      tmp: '/here/tmp',
    });
    expect(placesOf(args, '--ro-bind-try')).toEqual([outer, inner]);
    expect(placesOf(args, '--bind')).toEqual([
      '/tmp',
      '/var/tmp',
      '/build/work',
    ]);
    const bound = placesOf(args, '--ro-bind');
    expect(bound).toEqual(expect.arrayContaining(['/usr', '/etc/passwd']));
    expect(bound.at(-1)).toBe('/etc/group');
    // Created before anything is mounted there.
    expect(args.indexOf('/build')).toBeLessThan(args.indexOf('/build/work'));
  });
});

describe('findProgram', () => {
  it('finds the first executable on the path, otherwise one of the system', () => {
    const program = path.join(directory, 'sh');
    writeFileSync(program, '');
    const system = findProgram('sh', `${directory}:relative`);
    expect(system).toMatch(/^\/usr|^\/bin/);
    chmodSync(program, 0o755);
    expect(findProgram('sh', `${directory}:relative`)).toBe(program);
    expect(findProgram('sh', '', [])).toBeNull();
  });
});
