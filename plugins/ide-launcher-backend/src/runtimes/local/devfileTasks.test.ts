import { patient } from '@slipway/dev-runner/src/patience.ts';
import { makeDevfile } from '../../__testUtils__/devfile';
import { devfileTasks } from './devfileCommands';

const PATHS = { projects: '/data/projects' };

function exec(id: string, parts: Record<string, unknown> = {}) {
  return {
    id,
    type: 'exec' as const,
    commandLine: `run ${id}`,
    component: 'tools',
    label: null,
    group: null,
    workingDir: null,
    env: [],
    ...parts,
  };
}

describe('devfileTasks', () => {
  it('makes a task of an exec command, in its folder and with its variables', () => {
    const { tasks } = devfileTasks(
      makeDevfile({
        container: { env: [{ name: 'A', value: '1' }] },
        commands: [
          exec('build', {
            label: 'Build it',
            group: { kind: 'build', isDefault: true },
            workingDir: '${PROJECT_SOURCE}/app',
            env: [{ name: 'B', value: '2' }],
          }),
        ],
      }),
      PATHS,
    );

    expect(tasks).toEqual([
      {
        label: 'Build it',
        type: 'shell',
        command: 'run build',
        options: { cwd: '/data/projects/app', env: { A: '1', B: '2' } },
        group: { kind: 'build', isDefault: true },
        problemMatcher: [],
      },
    ]);
  });

  it.each([
    ['${PROJECTS_ROOT}/x', '/data/projects/x'],
    ['/projects/x', '/data/projects/x'],
    ['$PROJECT_SOURCE', '/data/projects'],
    ['sub', '/data/projects/sub'],
    ['/etc', '/data/projects'],
    ['../../..', '/data/projects'],
  ])('runs a command of %s in %s', (workingDir, cwd) => {
    const devfile = makeDevfile({ commands: [exec('x', { workingDir })] });
    expect(devfileTasks(devfile, PATHS).tasks[0].options?.cwd).toBe(cwd);
  });

  it('makes tasks of many levels of composite commands quickly', () => {
    const base = { label: null, group: null, type: 'composite' as const };
    const levels = Array.from({ length: 30 }, (_, level) => ({
      ...base,
      id: `level${level}`,
      commands: [`level${level + 1}`, `level${level + 1}`],
      parallel: false,
    }));
    const started = performance.now();

    expect(
      devfileTasks(makeDevfile({ commands: levels }), PATHS).tasks,
    ).toEqual([]);
    expect(performance.now() - started).toBeLessThan(patient(1_000));
  });

  it('makes a task of a composite command and leaves apply commands out', () => {
    const base = { label: null, group: null };
    const { tasks } = devfileTasks(
      makeDevfile({
        commands: [
          exec('one', { label: 'Same' }),
          exec('two', { label: 'Same' }),
          { ...base, id: 'image', type: 'apply', component: 'image' },
          {
            ...base,
            id: 'all',
            type: 'composite',
            commands: ['one', 'image', 'two'],
            parallel: true,
          },
          {
            ...base,
            id: 'none',
            type: 'composite',
            commands: ['image'],
            parallel: false,
          },
        ],
      }),
      PATHS,
    );

    expect(tasks.map(({ label }) => label)).toEqual([
      'Same (one)',
      'Same (two)',
      'all',
    ]);
    expect(tasks[2]).toMatchObject({
      dependsOn: ['Same (one)', 'Same (two)'],
      dependsOrder: 'parallel',
    });
  });
});
