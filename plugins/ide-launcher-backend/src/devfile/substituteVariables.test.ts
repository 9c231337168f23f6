import { patient } from '@slipway/dev-runner/src/patience.ts';
import { fullDevfile } from './__testUtils__/devfiles';
import { substituteVariables } from './normalizeDevfile';
import { RawDevfile } from './schema/devfile';

describe('substituteVariables', () => {
  it('replaces references in texts', () => {
    const { devfile, warnings, faults } = substituteVariables(fullDevfile());
    expect(devfile.components?.[0].container?.image).toBe(
      'registry.example.org/node:20',
    );
    expect(devfile.commands?.[0].exec?.workingDir).toBe('$PROJECT_SOURCE/web');
    expect([warnings, faults]).toEqual([[], []]);
  });

  it('leaves identity, identifiers and references to them alone', () => {
    const devfile: RawDevfile = {
      schemaVersion: '2.2.2',
      variables: { v: 'x' },
      metadata: { name: '{{v}}' },
      commands: [
        {
          id: 'a',
          attributes: { y: '{{v}}' },
          exec: { component: '{{v}}', commandLine: '{{ v }}{{v}}' },
        },
      ],
      projects: [
        {
          name: 'p',
          git: {
            remotes: { origin: 'https://{{v}}' },
            checkoutFrom: { remote: '{{v}}', revision: '{{v}}' },
          },
        },
      ],
    };
    expect(substituteVariables(devfile).devfile).toEqual({
      ...devfile,
      commands: [
        {
          id: 'a',
          attributes: { y: '{{v}}' },
          exec: { component: '{{v}}', commandLine: 'xx' },
        },
      ],
      projects: [
        {
          name: 'p',
          git: {
            remotes: { origin: 'https://x' },
            checkoutFrom: { remote: '{{v}}', revision: 'x' },
          },
        },
      ],
    });
  });

  it('uses values literally and warns of unknown names', () => {
    const { devfile, warnings } = substituteVariables({
      schemaVersion: '2.2.2',
      variables: { a: '{{b}} $& $1', b: 'never' },
      components: [
        {
          name: 'c',
          container: { image: '{{a}}', args: ['{{.State}}', '{{toString}}'] },
        },
      ],
    });
    expect(devfile.components?.[0].container).toEqual({
      image: '{{b}} $& $1',
      args: ['{{.State}}', '{{toString}}'],
    });
    expect(warnings).toEqual(
      ['.State', 'toString'].map((name, index) => ({
        path: ['components', 0, 'container', 'args', index],
        message: `no variable named '${name}'; it is left unchanged`,
      })),
    );
  });

  it('does not lose time over references that never end', () => {
    const image = `{{${' '.repeat(500_000)}`.repeat(2);
    const started = performance.now();
    const { devfile } = substituteVariables({
      schemaVersion: '2.2.2',
      components: [{ name: 'c', container: { image } }],
    });
    expect(devfile.components?.[0].container?.image).toBe(image);
    expect(performance.now() - started).toBeLessThan(patient(1_000));
  });

  it('rejects variables that would expand without limit', () => {
    const { faults } = substituteVariables({
      schemaVersion: '2.2.2',
      variables: { a: 'x'.repeat(500_000) },
      components: [
        { name: 'c', container: { image: '{{a}}'.repeat(100_000) } },
      ],
    });
    expect(faults).toEqual([
      {
        path: ['variables'],
        message: 'replacing them makes the file too large',
      },
    ]);
  });
});
