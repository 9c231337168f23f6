import { loadClient } from './installClients.ts';
import { type Call, check, type Suite, type SuiteOptions } from './Suite.ts';

interface Project {
  status: string;
  lastBuild: object | null;
}
interface Api {
  getProjects(info: object, branches?: string[]): Promise<Project[]>;
  getBuild(
    info: object,
    jobs: string[],
    number: number,
  ): Promise<{ status: string; tests?: { total: number } }>;
  rebuildProject(
    info: object,
    jobs: string[],
    number: number,
    reference: string,
    options: object,
  ): Promise<number>;
  getJobBuilds(info: object, jobs: string[]): Promise<{ builds: object[] }>;
  getBuildConsoleText(
    info: object,
    jobs: string[],
    number: number,
  ): Promise<string>;
}

/** Calls of the backend of Backstage's Jenkins plugin. */
export function backstage({ server, folder }: SuiteOptions): Suite {
  // The package exports only its plugin, which would need a complete backend.
  const { version, module } = loadClient<{ JenkinsApiImpl: new () => Api }>(
    folder,
    '@backstage-community/plugin-jenkins-backend',
    'dist/service/jenkinsApi.cjs.js',
  );
  const api = new module.JenkinsApiImpl();
  const basic = Buffer.from(`${server.user}:${server.token}`).toString(
    'base64',
  );
  const info = {
    baseUrl: server.url,
    headers: { Authorization: `Basic ${basic}` },
    fullJobNames: ['tested'],
    projectCountLimit: 50,
    crumbIssuer: true,
  };
  const calls: [string, Call][] = [
    [
      'getProjects',
      async () => {
        const [project] = await api.getProjects(info);
        check(project.status === 'SUCCESS' && project.lastBuild, 'SUCCESS');
      },
    ],
    [
      'getBuild',
      async () => {
        const { tests } = await api.getBuild(info, ['tested'], 1);
        check(tests?.total === 1, 'a test');
      },
    ],
    [
      'rebuildProject',
      async () => {
        const status = await api.rebuildProject(info, ['tested'], 1, '', {});
        check(status === 201, '201');
      },
    ],
    [
      'getJobBuilds',
      async () =>
        check(
          (await api.getJobBuilds(info, ['tested'])).builds.length > 0,
          'builds',
        ),
    ],
    [
      'getBuildConsoleText',
      async () =>
        check(
          (await api.getBuildConsoleText(info, ['tested'], 1)).includes('Fin'),
          'the log',
        ),
    ],
  ];
  return {
    client: 'Backstage',
    version,
    calls: new Map(calls),
    left: new Map(),
    names: calls.map(([name]) => name),
  };
}
