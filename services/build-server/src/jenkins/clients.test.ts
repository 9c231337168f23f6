import { BuildClient } from '../__testUtils__/BuildClient.ts';
import {
  basic,
  HELLO,
  HELLO_PARAMETERS,
  startBuildServer,
  type TestServer,
  TRIGGER_TOKEN,
} from '../__testUtils__/startBuildServer.ts';
import { joinFolders } from './urls.ts';

// Calls as clients of Jenkins make them, with the parts of the response that each of them reads.
// The npm client itself is run in jenkinsClient.test.ts.

let server: TestServer;
let dev: BuildClient;
let waiting: string;

beforeAll(async () => {
  server = await startBuildServer({
    jobs: [
      HELLO,
      HELLO_PARAMETERS,
      {
        name: 'full',
        junit: ['out/*.xml'],
        artifacts: ['out/**', 'link'],
        steps: [
          {
            name: 'Test',
            run: `mkdir -p out/sub; echo '<b>bold</b>'; printf 'x' > out/sub/x.txt; ln -s /etc/passwd link; ln -s /etc out/etc; printf '%s' '<testsuite><testcase name="a"/></testsuite>' > out/a.xml`,
          },
        ],
      },
    ],
  });
  dev = new BuildClient(server.url);
  await dev.build('full');
  await dev.build('hello');
  const answer = await dev.post('/job/hello/build?delay=600');
  waiting = new URL(answer.headers.get('location')!).pathname;
});

afterAll(() => server.stop());

const json = (path: string, ...fields: string[]) =>
  [`GET ${path}`, { has: fields }] as const;

describe('answers', () => {
  it.each([
    // Requests of python-jenkins, jenkinsapi, gojenkins, swaggy-jenkins, Backstage and curl
    // recipes.
    json('/api/json', 'jobs', 'views', 'primaryView', 'mode', 'useCrumbs'),
    json('/api/json?tree=jobs[name,color]', 'jobs'),
    json('/api/json?depth=1', 'jobs'),
    json('/api/python', 'jobs'),
    json('/view/all/api/json', 'jobs'),
    json('/crumbIssuer/api/json', 'crumb', 'crumbRequestField'),
    json('/me/api/json', 'fullName'),
    json('/whoAmI/api/json', 'name', 'authenticated'),
    json('/computer/api/json', 'computer', 'totalExecutors'),
    json('/computer/(built-in)/api/json', 'displayName', 'offline'),
    json('/computer/(master)/api/json', 'displayName', 'executors'),
    json('/computer/Built-In%20Node/api/json?depth=2', 'executors'),
    json('/label/built-in/api/json', 'nodes', 'totalExecutors'),
    json('/view/all/api/json?tree=name', 'name'),
    ['GET /view/all/config.xml', { text: /<hudson.model.AllView>/ }],
    ['GET /view/none/config.xml', { status: 404 }],
    ['GET /computer/built-in/config.xml', { text: /<slave><name>/ }],
    ['GET /job/full/config.xml', { text: /<project>.*<disabled>false</ }],
    ['GET /job/full/config.xml/api/json', { text: /<hudson.tasks.Shell>/ }],
    ['GET /job/full/1/consoleText/api/json', { text: /<b>bold<\/b>/ }],
    json('/job/full/1/injectedEnvVars/api/json', 'envMap'),
    ['POST /job/hello/build/api/json', { status: 201 }],
    ['POST /job/full/lastSuccessfulBuild/api/json', { text: /"number":1/ }],
    [
      'GET /crumbIssuer/api/xml?xpath=concat(//crumbRequestField,":",//crumb)',
      { text: /^Jenkins-Crumb:none-needed$/ },
    ],
    ['GET /api/xml?xpath=//job[1]/name', { text: /^<name>full<\/name>$/ }],
    [
      'GET /api/xml?xpath=//job/name&wrapper=names',
      { text: /^<names><name>full<\/name><name>hello</ },
    ],
    ['GET /api/xml?xpath=//job/name', { status: 400 }],
    ['GET /api/xml?xpath=count(//job)', { status: 400 }],
    json('/pluginManager/api/json?depth=1', 'plugins'),
    json('/queue/api/json', 'items'),
    json('/job/full/api/json', 'name', 'url', 'buildable', 'builds', 'actions'),
    json('/job/full/api/json?depth=1', 'lastBuild', 'healthReport'),
    json('/job/full/api/json?tree=allBuilds[number,result]', 'allBuilds'),
    json('/job/full/api/json?tree=builds[number]{0,1}', 'builds'),
    json('/job/full/api/json?tree=lastBuild[number,actions[*]]', 'lastBuild'),
    json('/job/full/', 'name'),
    json('/job/full/1/api/json', 'number', 'result', 'artifacts', 'changeSet'),
    json('/job/full/1/', 'number'),
    json('/job/full/lastBuild/api/json', 'number'),
    json('/job/full/lastCompletedBuild/api/json', 'number'),
    json('/job/full/lastSuccessfulBuild/api/json', 'number'),
    json('/job/full/lastStableBuild/api/json', 'number'),
    json('/job/full/1/testReport/api/json', 'passCount', 'failCount'),
    json('/job/full/1/wfapi/describe', 'stages', 'status'),
    json('/job/full/1/wfapi/', 'stages'),
    ['GET /job/full/wfapi/runs', { text: /"name":"#1"/ }],
    ['GET /api/xml', { text: /^<hudson _class=.*<job _class=/ }],
    ['GET /job/full/api/xml', { text: /^<freeStyleProject .*<name>full</ }],
    ['GET /job/full/1/api/xml', { text: /^<freeStyleBuild .*<number>1</ }],
    [
      'GET /job/full/1/api/xml?tree=number',
      {
        text: /^<freeStyleBuild _class="[^"]*"><number>1<\/number><\/freeStyleBuild>$/,
      },
    ],
    ['GET /queue/api/xml', { text: /^<queue .*<item / }],
    ['GET /job/full/lastBuild/buildNumber', { text: /^1$/ }],
    ['GET /job/full/lastSuccessfulBuild/buildNumber', { text: /^1$/ }],
    ['GET /job/full/1/consoleText', { text: /<b>bold<\/b>/ }],
    ['GET /job/full/1/logText/progressiveText?start=0', { text: /bold/ }],
    ['POST /job/full/1/logText/progressiveText', { text: /bold/ }],
    [
      'GET /job/full/1/logText/progressiveHtml?start=0',
      { text: /&lt;b&gt;bold/ },
    ],
    ['POST /job/full/1/logText/progressiveHtml', { text: /&lt;b&gt;bold/ }],
    ['GET /job/full/rssAll', { text: /<title>full #1 \(SUCCESS\)</ }],
    ['GET /job/full/rssFailed', { text: /^<\?xml[^>]*><feed (?!.*<entry>)/ }],
    ['GET /job/full/1/artifact/out/sub/x.txt', { text: /^x$/ }],
    ['GET /job/full/lastSuccessfulBuild/artifact/out/a.xml', { text: /^</ }],
    ['GET /schemas/job.json', { text: /"\$schema"/ }],
    ['POST /job/hello/build', { status: 201 }],
    ['POST /job/hello/build?cause=because', { status: 201 }],
    ['POST /job/hello/buildWithParameters', { status: 201 }],
    [
      'POST /job/hello-parameters/buildWithParameters?BRANCH=a',
      { status: 201 },
    ],
    ['POST /job/full/1/stop', { status: 302 }],
    // The npm client treats a redirect of these two as a failure.
    ['POST /job/full/1/term', { status: 200 }],
    ['POST /job/full/1/kill', { status: 200 }],
    ['POST /job/full/1/rebuild', { status: 201 }],
    ['POST /job/full/1/replay/rebuild', { status: 201 }],
    ['HEAD /job/full/api/json', { status: 200 }],
    ['HEAD /job/none/api/json', { status: 404 }],
    ['GET /job/none/api/json', { status: 404 }],
    ['GET /job/hello/99/api/json', { status: 404 }],
    ['GET /job/hello/1/testReport/api/json', { status: 404 }],
    ['GET /job/full/1/artifact/*zip*/archive.zip', { text: /^PK/ }],
    ['GET /job/full/1/artifact/link', { status: 404 }],
    ['GET /job/full/1/artifact/out/etc/passwd', { status: 404 }],
    ['GET /job/full/1/artifact/out/../../../etc/passwd', { status: 404 }],
    ['GET /job/full/1/artifact/..%2F..%2Fdb.sqlite', { status: 404 }],
  ] as [string, { has?: string[]; text?: RegExp; status?: number }][])(
    '%s',
    async (call, { has = [], text = /(?:)/, status = 200 }) => {
      const [method, path] = call.split(' ');
      const answer = await dev.send(method, path);
      expect(answer.status).toBe(status);
      expect(Object.keys(answer.body ?? {})).toEqual(
        expect.arrayContaining(has),
      );
      expect(answer.text).toMatch(text);
    },
  );

  it('a queue item and its end', async () => {
    for (const path of [`${waiting}api/json`, `${waiting}api/json?depth=0`]) {
      const { body } = await dev.get(path);
      expect(body).toMatchObject({
        task: { name: 'hello' },
        executable: null,
        why: expect.any(String),
      });
    }
    expect((await dev.post(`${waiting}cancelQueue`)).status).toBe(302);
  });
});

it('accepts a multipart form', async () => {
  const form = new FormData();
  form.set('BRANCH', 'fix/ü');
  form.set(
    'json',
    JSON.stringify({ parameter: [{ name: 'ENVIRONMENT', value: 'a=b,c #' }] }),
  );
  const send = (body: FormData) =>
    fetch(`${server.url}/job/hello-parameters/buildWithParameters`, {
      method: 'POST',
      headers: { authorization: basic('dev', TRIGGER_TOKEN) },
      body,
    });
  const answer = await send(form);
  expect(answer.status).toBe(201);
  const item = new URL(answer.headers.get('location')!).pathname;
  const build = await dev.started(item);
  await dev.ended(build);
  expect(await dev.log(build)).toContain('fix/ü to a=b,c #');
  form.set('BRANCH', new Blob(['x']), 'x.txt');
  expect((await send(form)).status).toBe(400);
});

it.each([
  [{ 'x-gitlab-token': 'test-webhook-token' }, 200],
  [{ token: 'test-webhook-token' }, 200],
  [{ authorization: 'Bearer test-webhook-token' }, 200],
  [{ 'x-gitlab-token': 'wrong' }, 401],
  // It may be a credential for something else, so the webhook's token counts as missing.
  [{ authorization: 'Bearer wrong' }, 400],
  [{}, 400],
])('takes the token of a webhook in %o with %s', async (headers, status) => {
  const nobody = new BuildClient(server.url, null);
  const answer = await nobody.json(
    '/generic-webhook-trigger/invoke',
    { ref: 'refs/heads/main' },
    headers as Record<string, string>,
  );
  expect(answer.status).toBe(status);
});

it.each([
  [
    '/job/shop/job/main/1/api/json?a=/job/b',
    '/job/shop%2Fmain/1/api/json?a=/job/b',
  ],
  ['/job/shop/job/fix%252Fa/api/json', '/job/shop%2Ffix%2Fa/api/json'],
  ['/job/a/job/b/job/c/build', '/job/a%2Fb%2Fc/build'],
  ['/job/shop/api/json', '/job/shop/api/json'],
  ['/queue/api/json', '/queue/api/json'],
])('reads %s as %s', (url, expected) => {
  expect(joinFolders(url)).toBe(expected);
});
