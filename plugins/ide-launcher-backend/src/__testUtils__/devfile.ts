import { Devfile, DevfileContainer } from '../devfile/types';

/** Creates a devfile with one container, with overrides. */
export function makeDevfile(
  parts: Partial<Devfile> & { container?: Partial<DevfileContainer> } = {},
): Devfile {
  const { container, ...rest } = parts;
  return {
    schemaVersion: '2.2.2',
    metadata: {
      name: 'demo',
      version: null,
      displayName: null,
      description: null,
    },
    components: [
      {
        name: 'tools',
        type: 'container',
        container: {
          image: 'example.org/tools:1',
          env: [],
          endpoints: [],
          memoryLimit: null,
          cpuLimit: null,
          mountSources: true,
          sourceMapping: null,
          command: [],
          args: [],
          volumeMounts: [],
          ...container,
        },
      },
    ],
    commands: [],
    projects: [],
    starterProjects: [],
    events: { preStart: [], postStart: [], preStop: [], postStop: [] },
    ...rest,
  };
}
