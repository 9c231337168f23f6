import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Call, check, type Suite, type SuiteOptions } from './Suite.ts';

const run = promisify(execFile);

/** The curl recipes from the documentation of Jenkins' remote access API and its webhook plugin. */
export function recipes({ server }: SuiteOptions): Suite {
  const auth = ['--user', `${server.user}:${server.token}`];
  /** Runs curl. @returns the status, the headers and the body. */
  const curl = async (pathname: string, ...options: string[]) => {
    const { stdout } = await run('curl', [
      ...['--silent', '--globoff', '--include', '--max-time', '20'],
      ...options,
      `${server.url}${pathname}`,
    ]);
    return stdout;
  };
  const expects =
    (part: RegExp, pathname: string, ...options: string[]): Call =>
    async () => {
      const text = await curl(pathname, ...options);
      check(part.test(text), `${part} in ${text.split('\r')[0]}`);
    };
  const created = /^HTTP\/1\.1 201 [^]*location: [^\r]*\/queue\/item\/\d+\//i;
  const triggered = /^HTTP\/1\.1 200 [^]*"triggered":true/;
  const post = ['-X', 'POST', ...auth];
  const json = ['-H', 'Content-Type: application/json', '-d'];
  const push = `{"ref":"refs/heads/main","after":"${'a'.repeat(40)}"}`;
  const hook = '/generic-webhook-trigger/invoke';
  const calls: [string, Call][] = [
    ['build', expects(created, '/job/hello/build', ...post)],
    [
      'build with a json form',
      expects(
        created,
        '/job/parameters/build',
        ...post,
        '--data-urlencode',
        'json={"parameter": [{"name":"BRANCH", "value":"123"}]}',
      ),
    ],
    [
      'buildWithParameters with a form',
      expects(
        created,
        '/job/parameters/buildWithParameters',
        ...auth,
        ...['--data', 'BRANCH=main', '--data', 'ENVIRONMENT=prod'],
      ),
    ],
    [
      'buildWithParameters with parts',
      expects(
        created,
        '/job/parameters/buildWithParameters',
        ...auth,
        ...['-F', 'BRANCH=parts'],
      ),
    ],
    [
      'build with a crumb',
      async () => {
        const crumb = await curl(
          '/crumbIssuer/api/xml?xpath=concat(//crumbRequestField,":",//crumb)',
          ...auth,
        );
        const [header] = /Jenkins-Crumb:\S+/.exec(crumb) ?? [];
        check(header, `a crumb in ${crumb.split('\r')[0]}`);
        await expects(
          created,
          '/job/hello/build',
          ...post,
          '-H',
          String(header),
        )();
      },
    ],
    ['the version', expects(/x-jenkins: \d/i, '/api/json', ...auth)],
    ['tree', expects(/"name":"hello"/, '/api/json?tree=jobs[name]', ...auth)],
    ['xml', expects(/<job /, '/api/xml', ...auth)],
    [
      'xpath',
      expects(
        /<number>1<\/number>/,
        '/job/tested/1/api/xml?xpath=/*/number',
        ...auth,
      ),
    ],
    [
      'xpath with a wrapper',
      expects(
        /<names>\s*<name>hello<\/name>/,
        '/api/xml?xpath=/hudson/job/name&wrapper=names',
        ...auth,
      ),
    ],
    [
      'consoleText',
      expects(/Finished/, '/job/tested/lastBuild/consoleText', ...auth),
    ],
    [
      'progressiveText',
      expects(
        /x-text-size: \d+/i,
        '/job/tested/1/logText/progressiveText?start=0',
        ...auth,
      ),
    ],
    [
      'an artifact of the last build',
      expects(
        /\r\n\r\nx/,
        '/job/tested/lastSuccessfulBuild/artifact/out/x.txt',
        ...auth,
      ),
    ],
    [
      'all artifacts as an archive',
      expects(
        /^HTTP\/1\.1 200 [^]*PK/,
        '/job/tested/1/artifact/*zip*/archive.zip',
        ...auth,
        '--output',
        '-',
      ),
    ],
    [
      'a webhook with a token in its address',
      expects(triggered, `${hook}?token=${server.webhookToken}`, ...json, push),
    ],
    [
      'a webhook with a token as a header',
      expects(
        triggered,
        hook,
        ...['-H', `token: ${server.webhookToken}`],
        ...json,
        push,
      ),
    ],
    [
      'a webhook with a bearer token',
      expects(
        triggered,
        hook,
        ...['-H', `Authorization: Bearer ${server.webhookToken}`],
        ...json,
        push,
      ),
    ],
    [
      "a webhook with GitLab's token",
      expects(
        triggered,
        hook,
        ...['-H', `X-Gitlab-Token: ${server.webhookToken}`],
        ...json,
        push,
      ),
    ],
    [
      'disable and enable',
      async () => {
        await expects(/^HTTP\/1\.1 302/, '/job/hello/disable', ...post)();
        await expects(/^HTTP\/1\.1 302/, '/job/hello/enable', ...post)();
      },
    ],
  ];
  return {
    client: 'curl',
    version: '',
    calls: new Map(calls),
    left: new Map([
      ['jobs are files', ['createItem', 'config.xml, changed', 'doDelete']],
      [
        'the server is administered by its configuration',
        ['safeRestart', 'quietDown', 'scriptText'],
      ],
    ]),
    names: [],
  };
}
