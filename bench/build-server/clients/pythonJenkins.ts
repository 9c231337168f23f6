import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { pythonPath } from './installClients.ts';
import type { Call, Suite, SuiteOptions } from './Suite.ts';

/** Calls of python-jenkins. A single process makes all calls and reports each by name. */
export async function pythonJenkins({
  server,
  folder,
}: SuiteOptions): Promise<Suite> {
  const { stdout } = await promisify(execFile)(
    '/usr/bin/python3',
    [path.join(import.meta.dirname, 'python_jenkins.py')],
    {
      timeout: 120_000,
      env: {
        ...process.env,
        PYTHONPATH: pythonPath(folder),
        JENKINS_URL: server.url,
        JENKINS_USER: server.user,
        JENKINS_TOKEN: server.token,
        JENKINS_AGENT: server.agent,
      },
    },
  );
  const [about, ...outcomes] = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as unknown) as [
    { version: string; names: string[] },
    ...{ call: string; fault: string | null }[],
  ];
  return {
    client: 'python-jenkins',
    ...about,
    calls: new Map(
      outcomes.map(({ call, fault }): [string, Call] => [
        call,
        async () => {
          if (fault !== null) {
            throw new Error(fault);
          }
        },
      ]),
    ),
    left: new Map([
      [
        'jobs are files',
        [
          ...['copy_job', 'create_job', 'delete_job', 'rename_job'],
          ...['reconfig_job', 'set_next_build_number'],
          ...['wipeout_job_workspace', 'create_folder', 'upsert_job'],
          'check_jenkinsfile_syntax',
        ],
      ],
      [
        'views are of the portal',
        ['create_view', 'delete_view', 'reconfig_view'],
      ],
      [
        'agents enrol themselves',
        ['create_node', 'delete_node', 'reconfig_node'],
      ],
      [
        'secrets are not credentials of Jenkins',
        about.names.filter(name => name.includes('credential')),
      ],
      [
        'of the promotion plugin',
        about.names.filter(name => name.includes('promotion')),
      ],
      [
        'the server is administered by its configuration',
        ['install_plugin', 'quiet_down', 'run_script'],
      ],
      ['an attribute that can be called', ['auth']],
    ]),
  };
}
