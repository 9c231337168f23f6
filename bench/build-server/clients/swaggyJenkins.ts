import { loadClient } from './installClients.ts';
import { type Call, check, type Suite, type SuiteOptions } from './Suite.ts';

type Callback = (
  error: Error | null,
  data: unknown,
  response: { status: number; text?: string; body: unknown },
) => void;
type Api = Record<string, (...values: unknown[]) => void>;
interface Module {
  ApiClient: new (url: string) => {
    authentications: Record<string, { username: string; password: string }>;
  };
  RemoteAccessApi: new (client: object) => Api;
  BaseApi: new (client: object) => Api;
  BlueOceanApi: new (client: object) => Api;
}

/**
 * Calls of the npm client `swaggy-jenkins`, generated from a description of Jenkins' remote
 * access API.
 */
export function swaggyJenkins({ server, folder }: SuiteOptions): Suite {
  const { version, module } = loadClient<Module>(folder, 'swaggy-jenkins');
  const client = new module.ApiClient(server.url);
  Object.assign(client.authentications.jenkins_auth, {
    username: server.user,
    password: server.token,
  });
  const remote = new module.RemoteAccessApi(client);
  const base = new module.BaseApi(client);
  const send = (api: Api, name: string, ...values: unknown[]) =>
    new Promise<{ data: unknown; text: string }>((resolve, reject) => {
      const callback: Callback = (error, data, response) =>
        error ? reject(error) : resolve({ data, text: response.text ?? '' });
      api[name](...values, callback);
    });
  const has = async (fields: string[], name: string, ...values: unknown[]) => {
    const { data, text } = await send(remote, name, ...values);
    for (const field of fields) {
      check(text.includes(field) && data !== null && data !== undefined, field);
    }
  };
  const xml = async (name: string, job: string) => {
    const { data } = await send(remote, name, job);
    check(String(data).startsWith('<'), 'XML');
  };
  const calls: [string, Call][] = [
    [
      'getCrumb',
      async () => {
        const { data } = await send(base, 'getCrumb');
        check((data as { crumb?: string }).crumb, 'crumb');
      },
    ],
    ['headJenkins', async () => void (await send(remote, 'headJenkins'))],
    ['getJenkins', () => has(['jobs'], 'getJenkins')],
    ['getComputer', () => has(['computer'], 'getComputer', 1)],
    ['getJob', () => has(['builds'], 'getJob', 'tested')],
    ['getJobConfig', () => xml('getJobConfig', 'tested')],
    ['getJobLastBuild', () => has(['number'], 'getJobLastBuild', 'tested')],
    [
      'getJobProgressiveText',
      async () => {
        const { text } = await send(
          remote,
          'getJobProgressiveText',
          ...['tested', '1', '0'],
        );
        check(text.includes('Finished'), 'the log');
      },
    ],
    ['getQueue', () => has(['items'], 'getQueue')],
    [
      'getQueueItem',
      async () => has(['task'], 'getQueueItem', String(await server.waiting())),
    ],
    ['getView', () => has(['jobs'], 'getView', 'all')],
    ['getViewConfig', () => xml('getViewConfig', 'all')],
    [
      'postJobBuild',
      async () => void (await send(remote, 'postJobBuild', 'hello', '{}', {})),
    ],
    [
      'postJobDisable',
      async () => void (await send(remote, 'postJobDisable', 'hello', {})),
    ],
    [
      'postJobEnable',
      async () => void (await send(remote, 'postJobEnable', 'hello', {})),
    ],
    [
      'postJobLastBuildStop',
      async () => {
        const number = await server.running();
        await send(remote, 'postJobLastBuildStop', 'slow', {});
        await server.ended('slow', number);
      },
    ],
  ];
  const blue = methodsOf(new module.BlueOceanApi(client));
  return {
    client: 'swaggy-jenkins',
    version,
    calls: new Map(calls),
    left: new Map([
      ['jobs are files', ['postCreateItem', 'postJobConfig', 'postJobDelete']],
      ['views are of the portal', ['postCreateView', 'postViewConfig']],
      ['of Blue Ocean, a plugin', blue],
    ]),
    names: [...methodsOf(remote), ...methodsOf(base), ...blue],
  };
}

function methodsOf(api: Api): string[] {
  return Object.getOwnPropertyNames(Object.getPrototypeOf(api)).filter(
    name => name !== 'constructor',
  );
}
