import { once } from 'node:events';
import type { EventEmitter } from 'node:events';
import { loadClient } from './installClients.ts';
import { type Call, check, type Suite, type SuiteOptions } from './Suite.ts';

type Method = (...values: unknown[]) => Promise<unknown>;
type Part = Record<string, Method>;
interface Client extends Record<string, unknown> {
  info: Method;
  build: Part & {
    logStream(job: string, number: number, options: object): EventEmitter;
  };
  job: Part;
  node: Part;
  queue: Part;
  view: Part;
  label: Part;
  plugin: Part;
  crumbIssuer: Part;
}

/** Calls of the npm client `jenkins`. */
export function nodeJenkins({ server, folder }: SuiteOptions): Suite {
  const { version, module: Jenkins } = loadClient<
    new (options: object) => Client
  >(folder, 'jenkins');
  const client = new Jenkins({ baseUrl: server.urlWithToken });
  const { build, job, node, queue, view } = client;
  const has = async (result: Promise<unknown>, ...fields: string[]) => {
    const found = (await result) as object | null;
    for (const field of fields) {
      check(found && field in found, field);
    }
  };
  const names = async (result: Promise<unknown>, name: string) => {
    const list = (await result) as { name?: string; displayName?: string }[];
    check(
      list.some(one => name === (one.name ?? one.displayName)),
      name,
    );
  };
  const text = async (result: Promise<unknown>, part: string) => {
    const found = await result;
    check(typeof found === 'string' && found.includes(part), part);
  };
  const buildable = async (expected: boolean) => {
    const found = (await job.get('hello')) as { buildable: boolean };
    check(found.buildable === expected, `buildable: ${expected}`);
  };
  const offline = async (expected: boolean) => {
    const found = (await node.get(server.agent)) as {
      temporarilyOffline: boolean;
    };
    check(
      found.temporarilyOffline === expected,
      `temporarilyOffline: ${expected}`,
    );
  };
  const calls: [string, Call][] = [
    ['info', () => has(client.info(), 'jobs', 'views')],
    [
      'crumbIssuer.get',
      () => has(client.crumbIssuer.get(), 'crumb', 'crumbRequestField'),
    ],
    ['build.get', () => has(build.get('tested', 1), 'number', 'artifacts')],
    [
      'build.get lastBuild',
      () => has(build.get('tested', 'lastBuild'), 'number'),
    ],
    ['build.log', () => text(build.log('tested', 1), 'Finished')],
    [
      'build.log html',
      () => text(build.log({ name: 'tested', number: 1, type: 'html' }), 'Fin'),
    ],
    [
      'build.logStream',
      async () => {
        const parts: string[] = [];
        const stream = build.logStream('tested', 1, { delay: 20 });
        stream.on('data', part => parts.push(String(part)));
        await once(stream, 'end');
        check(parts.join('').includes('Finished: SUCCESS'), 'the whole log');
      },
    ],
    ...['stop', 'term'].map((verb): [string, Call] => [
      `build.${verb}`,
      async () => {
        const number = await server.running();
        await build[verb]('slow', number);
        await server.ended('slow', number);
      },
    ]),
    [
      'job.build',
      async () => check(Number((await job.build('hello')) as number), 'an id'),
    ],
    [
      'job.build parameters',
      async () =>
        check(
          Number(
            await job.build({
              name: 'parameters',
              parameters: { BRANCH: 'main' },
            }),
          ),
          'an id',
        ),
    ],
    ['job.config', () => text(job.config('hello'), '<project')],
    [
      'job.disable',
      async () => {
        await job.disable('hello');
        await buildable(false);
      },
    ],
    [
      'job.enable',
      async () => {
        await job.enable('hello');
        await buildable(true);
      },
    ],
    [
      'job.exists',
      async () => {
        check((await job.exists('hello')) === true, 'hello');
        check((await job.exists('none')) === false, 'none is missing');
      },
    ],
    ['job.get', () => has(job.get('hello'), 'builds', 'color')],
    ['job.list', () => names(job.list(), 'hello')],
    ['label.get', () => has(client.label.get('built-in'), 'nodes')],
    ['node.list', () => names(node.list(), 'Built-In Node')],
    ['node.get', () => has(node.get('built-in'), 'executors', 'offline')],
    [
      'node.exists',
      async () => {
        check((await node.exists('built-in')) === true, 'built-in');
        check((await node.exists('none')) === false, 'none is missing');
      },
    ],
    ['node.config', () => text(node.config('built-in'), '<')],
    [
      'node.disable',
      async () => {
        await node.disable(server.agent, 'later');
        await offline(true);
      },
    ],
    [
      'node.enable',
      async () => {
        await node.enable(server.agent);
        await offline(false);
      },
    ],
    [
      'plugin.list',
      async () => check(Array.isArray(await client.plugin.list()), 'an array'),
    ],
    [
      'queue.list',
      async () => {
        const id = await server.waiting();
        const items = (await queue.list()) as { id: number }[];
        check(
          items.some(item => item.id === id),
          'the item',
        );
      },
    ],
    [
      'queue.item',
      async () =>
        has(queue.item(await server.waiting()), 'why', 'task', 'executable'),
    ],
    [
      'queue.cancel',
      async () => {
        const id = await server.waiting();
        await queue.cancel(id);
        const item = (await queue.item(id)) as { cancelled: boolean };
        check(item.cancelled, 'cancelled');
      },
    ],
    ['view.list', () => names(view.list(), 'all')],
    ['view.get', () => has(view.get('all'), 'jobs')],
    [
      'view.exists',
      async () => {
        check((await view.exists('all')) === true, 'all');
        check((await view.exists('none')) === false, 'none is missing');
      },
    ],
    ['view.config', () => text(view.config('all'), '<')],
  ];
  return {
    client: 'jenkins',
    version,
    calls: new Map(calls),
    left: new Map([
      ['jobs are files', ['job.copy', 'job.create', 'job.destroy']],
      [
        'views are of the portal',
        ['view.add', 'view.create', 'view.destroy', 'view.remove'],
      ],
      [
        'agents enrol themselves',
        [
          'node.changeOfflineCause',
          'node.create',
          'node.destroy',
          'node.disconnect',
          'node.doDisconnect',
          // Covered by node.disable and node.enable, which it calls.
          'node.toggleOffline',
        ],
      ],
      [
        'secrets are not credentials of Jenkins',
        ['config', 'create', 'destroy', 'exists', 'list'].map(
          name => `credentials.${name}`,
        ),
      ],
      ['other names of counted calls', ['get', 'walk', 'delete']],
    ]),
    names: publicNames(client),
  };
}

function publicNames(client: Client): string[] {
  const alias = new Set(['delete', 'logStream']);
  return Object.entries(client).flatMap(([part, value]) => {
    const methods = Object.getOwnPropertyNames(
      Object.getPrototypeOf(value ?? {}) ?? {},
    );
    return /^[a-z]/i.test(part) && methods.includes('constructor')
      ? methods
          .filter(
            name =>
              name !== 'constructor' &&
              !name.startsWith('_') &&
              !alias.has(name) &&
              Object.getPrototypeOf(value) !== Object.prototype,
          )
          .map(name => `${part}.${name}`)
      : [];
  });
}
