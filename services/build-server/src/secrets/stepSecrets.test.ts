import { BuildClient } from '../__testUtils__/BuildClient.ts';
import { isolationModes } from '../__testUtils__/isolationModes.ts';
import {
  startBuildServer,
  type TestServer,
} from '../__testUtils__/startBuildServer.ts';

const VALUE = 'gh0st-écret+token/7';

let server: TestServer;
let client: BuildClient;

describe.each(isolationModes)('a secret with isolation %s', mode => {
  beforeEach(async () => {
    server = await startBuildServer({
      jobs: [
        {
          name: 'job',
          steps: [
            {
              name: 'Deploy',
              run: `
              test "$TOKEN" = "${VALUE}" && echo it is given
              echo "token: $TOKEN"
              printf '%s' "$TOKEN" | base64
              printf 'user:%s' "$TOKEN" | base64
              printf '%.7s' "$TOKEN"; sleep 0.2; printf '%s\\n' "\${TOKEN#???????}"
              mkdir reports
              printf '<testsuite><testcase name="t" classname="c"><failure>got %s</failure></testcase></testsuite>' "$TOKEN" > reports/t.xml
              printf '%s' "$TOKEN" > kept
            `,
              secrets: { TOKEN: 'deploy-token' },
            },
            { name: 'Show', run: 'cat kept; echo "[${TOKEN-none}]"' },
          ],
          junit: ['reports/*.xml'],
        },
      ],
      config: {
        isolation: { mode },
        stepSecrets: { 'deploy-token': { value: VALUE, jobs: ['job'] } },
      },
    });
    client = new BuildClient(server.url);
  });

  afterEach(() => server.stop());

  it('reaches the step that names it, and no log, report or response', async () => {
    const build = await client.build('job');
    expect(build).toMatchObject({
      result: 'UNSTABLE',
      tests: { failures: [{ message: expect.stringContaining('got ****') }] },
    });
    const log = await client.log('/job/job/1/');
    expect(log).toContain('it is given');
    expect(log).toContain('token: ****');
    // The second step only knew it from a file.
    expect(log).toContain('****[none]');
    const { text: job } = await client.get('/job/job/api/json');
    expect(JSON.parse(job)).toMatchObject({ secrets: ['deploy-token'] });
    for (const text of [log, JSON.stringify(build), job]) {
      expect(text).not.toContain(VALUE);
      expect(text).not.toContain(Buffer.from(VALUE).toString('base64'));
      expect(text).not.toContain(
        Buffer.from(`user:${VALUE}`).toString('base64').slice(8, -4),
      );
    }
  });
});
