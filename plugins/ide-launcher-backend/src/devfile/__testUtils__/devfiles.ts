import { RawDevfile } from '../schema/devfile';

/** A devfile that uses every kind of element once. */
export function fullDevfile(): RawDevfile {
  return {
    schemaVersion: '2.2.2',
    metadata: {
      name: 'shop',
      version: '1.2.3',
      displayName: 'Shop',
      tags: ['node'],
      architectures: ['amd64', 'arm64'],
      custom: { anything: [1, 2] },
    },
    attributes: { 'controller.devfile.io/storage-type': 'ephemeral' },
    variables: { tag: '20', folder: 'web' },
    components: [
      {
        name: 'tools',
        attributes: { x: 1 },
        container: {
          image: 'registry.example.org/node:{{tag}}',
          env: [{ name: 'MODE', value: 'dev' }],
          endpoints: [
            {
              name: 'http',
              targetPort: 3000,
              exposure: 'public',
              protocol: 'https',
              path: '/',
              secure: true,
              annotation: { a: 'b' },
              attributes: { y: true },
            },
            { name: 'debug', targetPort: 9229 },
          ],
          memoryLimit: '1Gi',
          memoryRequest: '512Mi',
          cpuLimit: '2',
          cpuRequest: '500m',
          mountSources: true,
          sourceMapping: '/projects',
          dedicatedPod: false,
          command: ['tail'],
          args: ['-f', '/dev/null'],
          volumeMounts: [{ name: 'cache', path: '/cache' }],
          annotation: { deployment: { a: 'b' }, service: { c: 'd' } },
        },
      },
      { name: 'cache', volume: { size: '2Gi', ephemeral: false } },
      {
        name: 'deploy',
        kubernetes: { uri: 'deploy.yaml', deployByDefault: false },
      },
      { name: 'route', openshift: { inlined: 'kind: Route' } },
      {
        name: 'picture',
        image: {
          imageName: 'shop:latest',
          autoBuild: true,
          dockerfile: {
            uri: 'Dockerfile',
            buildContext: '.',
            args: ['--pull'],
            rootRequired: false,
          },
        },
      },
    ],
    commands: [
      {
        id: 'install',
        exec: {
          commandLine: 'npm ci',
          component: 'tools',
          workingDir: '$PROJECT_SOURCE/{{folder}}',
          group: { kind: 'build', isDefault: true },
          env: [{ name: 'CI', value: 'true' }],
          hotReloadCapable: false,
          label: 'Install',
        },
      },
      { id: 'build-image', apply: { component: 'picture', label: 'Image' } },
      {
        id: 'all',
        composite: {
          commands: ['install', 'build-image'],
          parallel: true,
          group: { kind: 'test' },
        },
      },
    ],
    events: { preStart: ['build-image'], postStart: ['install'] },
    projects: [
      {
        name: 'web',
        clonePath: 'src/web',
        git: {
          remotes: {
            origin: 'https://git.example.org/web.git',
            fork: 'https://git.example.org/fork.git',
          },
          checkoutFrom: { remote: 'origin', revision: 'main' },
        },
      },
      { name: 'assets', zip: { location: 'https://example.org/a.zip' } },
    ],
    dependentProjects: [
      {
        name: 'lib',
        git: { remotes: { origin: 'https://git.example.org/l' } },
      },
    ],
    starterProjects: [
      {
        name: 'starter',
        description: 'A start',
        subDir: 'app',
        git: { remotes: { origin: 'https://git.example.org/s.git' } },
      },
    ],
  };
}

/** A devfile whose `parent` overrides one element of every list. */
export function devfileWithParent(): RawDevfile {
  return {
    schemaVersion: '2.2.2',
    parent: {
      uri: 'https://example.org/base.yaml',
      variables: { tag: '22' },
      attributes: { a: 1 },
      components: [
        {
          name: 'tools',
          container: { memoryLimit: '2Gi', env: [{ name: 'MODE' }] },
        },
        { name: 'picture', image: { autoBuild: false } },
      ],
      commands: [
        {
          id: 'install',
          exec: { commandLine: 'npm i', group: { isDefault: false } },
        },
      ],
      projects: [{ name: 'web', git: { checkoutFrom: { revision: 'next' } } }],
      dependentProjects: [{ name: 'lib', git: {} }],
      starterProjects: [{ name: 'starter', git: {}, subDir: 'b' }],
    },
  };
}
