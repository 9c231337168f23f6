import { loadClient } from './installClients.ts';
import { type Call, check, type Suite, type SuiteOptions } from './Suite.ts';

type Callback = (error: unknown, data?: unknown) => void;
type Client = Record<string, (...values: unknown[]) => void>;

/** Calls of the npm client `jenkins-api`. */
export function jenkinsApi({ server, folder }: SuiteOptions): Suite {
  const { version, module } = loadClient<{ init(url: string): Client }>(
    folder,
    'jenkins-api',
  );
  const client = module.init(server.urlWithToken);
  const send = <T = Record<string, unknown>>(
    name: string,
    ...values: unknown[]
  ) =>
    new Promise<T>((resolve, reject) => {
      const callback: Callback = (error, data) =>
        error
          ? reject(error instanceof Error ? error : new Error(String(error)))
          : resolve(data as T);
      client[name](...values, callback);
    });
  const has = async (fields: string[], name: string, ...values: unknown[]) => {
    const found = await send(name, ...values);
    for (const field of fields) {
      check(field in found, field);
    }
  };
  const lists = async (field: string, name: string, ...values: unknown[]) => {
    const found = await send<object[]>(name, ...values);
    check(field in found[0], field);
  };
  const calls: [string, Call][] = [
    ['build', () => has(['location'], 'build', 'hello')],
    [
      'build_with_params',
      () =>
        has(['location'], 'build_with_params', 'parameters', {
          BRANCH: 'main',
        }),
    ],
    [
      'stop_build',
      async () => {
        const number = await server.running();
        await send('stop_build', 'slow', number);
        await server.ended('slow', number);
      },
    ],
    [
      'console_output',
      async () => {
        const { body } = await send('console_output', 'tested', 1);
        check(String(body).includes('Finished'), 'the log');
      },
    ],
    ...['last_build_info', 'last_completed_build_info', 'last_build_report']
      .concat('last_success')
      .map((name): [string, Call] => [
        name,
        () => has(['number', 'result'], name, 'tested'),
      ]),
    ['last_result', () => has(['result'], 'last_result', 'tested')],
    ['build_info', () => has(['number'], 'build_info', 'tested', 1)],
    ['all_builds', () => lists('result', 'all_builds', 'tested')],
    ['test_result', () => has(['passCount'], 'test_result', 'tested', 1)],
    [
      'delete_build',
      async () => {
        const number = await server.finished();
        await send('delete_build', 'hello', number);
        const { status } = await server.fetch(`/job/hello/${number}/api/json`);
        check(status === 404, 'no build');
      },
    ],
    ['all_jobs', () => lists('color', 'all_jobs')],
    [
      'get_config_xml',
      async () => {
        const xml = await send<unknown>('get_config_xml', 'hello');
        check(JSON.stringify(xml).includes('project'), 'XML');
      },
    ],
    ['job_info', () => has(['builds'], 'job_info', 'hello')],
    ['disable_job', () => has(['name'], 'disable_job', 'hello')],
    ['enable_job', () => has(['name'], 'enable_job', 'hello')],
    ['queue', () => has(['items'], 'queue')],
    [
      'queue_item',
      async () => has(['task'], 'queue_item', await server.waiting()),
    ],
    [
      'cancel_item',
      async () => {
        const id = await server.waiting();
        await send('cancel_item', id);
      },
    ],
    ['computers', () => has(['computer'], 'computers')],
    ['all_views', () => lists('name', 'all_views')],
    ['view_info', () => has(['jobs'], 'view_info', 'all')],
    ['all_jobs_in_view', () => lists('name', 'all_jobs_in_view', 'all')],
    ['all_installed_plugins', () => has(['body'], 'all_installed_plugins')],
  ];
  return {
    client: 'jenkins-api',
    version,
    calls: new Map(calls),
    left: new Map([
      [
        'jobs are files',
        ['update_config', 'update_job', 'create_job', 'copy_job', 'delete_job'],
      ],
      [
        'views are of the portal',
        [
          'create_view',
          'update_view',
          'delete_view',
          'add_job_to_view',
          'remove_job_from_view',
          'create_folder',
        ],
      ],
      ['there are no plugins', ['install_plugin']],
    ]),
    names: Object.keys(client),
  };
}
