import { createHmac } from 'node:crypto';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import {
  SECRETS,
  startBuildServer,
  type TestServer,
} from '../__testUtils__/startBuildServer.ts';

const SECRET = 'secret-of-the-hook';
const OLD_SECRET = 'secret-before-rotation';
const KEY = Buffer.alloc(32, 7);
const SIGNING_TOKEN = `whsec_${KEY.toString('base64')}`;
const AFTER = '8d7f1a0c'.repeat(5);

let server: TestServer;
let client: BuildClient;

beforeAll(async () => {
  server = await startBuildServer({
    jobs: [
      {
        name: 'signed',
        webhook: { token: 'hook', signingSecrets: ['old', 'new', 'standard'] },
        steps: [{ name: 'Run', run: 'true' }],
      },
    ],
    config: {
      executors: 0,
      secrets: {
        ...SECRETS,
        hook: 'token-of-the-hook',
        old: OLD_SECRET,
        new: SECRET,
        standard: SIGNING_TOKEN,
      },
    },
  });
  client = new BuildClient(server.url, null);
});

afterAll(() => server.stop());

function hex(text: string, secret = SECRET): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}

/** A push as sent by a forge: its payload format and its headers. */
interface Sender {
  payload: object;
  headers(
    sent: { json: string; body: string },
    secret?: string,
  ): Record<string, string>;
}

const repository = {
  id: 12,
  name: 'shop',
  full_name: 'acme/shop',
  clone_url: 'https://forge.test/acme/shop.git',
};
const author = { name: 'Ada', email: 'ada@forge.test' };
const push = {
  ref: 'refs/heads/main',
  before: '0'.repeat(40),
  after: AFTER,
  commits: [{ id: AFTER, message: 'Round — once', author }],
  repository,
  pusher: { name: 'ada', login: 'ada' },
};

/** The headers as each forge's source writes them, see its `deliver.go` or documentation. */
const GITHUB: Sender = {
  payload: push,
  headers: ({ body }, secret) => ({
    'x-github-event': 'push',
    'x-hub-signature': `sha1=${createHmac('sha1', SECRET).update(body).digest('hex')}`,
    'x-hub-signature-256': `sha256=${hex(body, secret)}`,
  }),
};
const giteaHeaders = (json: string, secret?: string) => ({
  'x-gitea-event': 'push',
  'x-gitea-event-type': 'push',
  'x-gitea-signature': hex(json, secret),
  'x-gogs-event': 'push',
  'x-gogs-signature': hex(json, secret),
  'x-github-event': 'push',
  'x-hub-signature-256': `sha256=${hex(json, secret)}`,
});
const GITEA: Sender = {
  payload: push,
  headers: ({ json }, secret) => giteaHeaders(json, secret),
};
const FORGEJO: Sender = {
  payload: push,
  headers: ({ json }, secret) => ({
    ...giteaHeaders(json, secret),
    'x-forgejo-event': 'push',
    'x-forgejo-signature': hex(json, secret),
  }),
};
const gitlabPush = {
  object_kind: 'push',
  ref: 'refs/heads/main',
  before: '0'.repeat(40),
  after: AFTER,
  checkout_sha: AFTER,
  project: {
    id: 12,
    git_http_url: repository.clone_url,
    path_with_namespace: 'acme/shop',
  },
  user_username: 'ada',
  commits: [{ id: AFTER, message: 'Round', author }],
};
const GITLAB_TOKEN: Sender = {
  payload: gitlabPush,
  headers: (_sent, secret = SECRET) => ({
    'x-gitlab-event': 'Push Hook',
    'x-gitlab-token': secret,
  }),
};
const GITLAB_STANDARD: Sender = {
  payload: gitlabPush,
  headers({ body }, secret) {
    const key = secret === undefined ? KEY : Buffer.from(secret);
    const mac = createHmac('sha256', key).update(`m-1.1772700000.${body}`);
    return {
      'x-gitlab-event': 'Push Hook',
      'webhook-id': 'm-1',
      'webhook-timestamp': '1772700000',
      'webhook-signature': `v1,bm9uZQ== v1,${mac.digest('base64')}`,
    };
  },
};
/** A sender that is not a forge, as in https://www.standardwebhooks.com. */
const STANDARD: Sender = {
  payload: push,
  headers(sent, secret) {
    const { 'x-gitlab-event': _, ...rest } = GITLAB_STANDARD.headers(
      sent,
      secret,
    );
    return rest;
  },
};
const BITBUCKET: Sender = {
  payload: {
    repository: {
      uuid: '{1}',
      full_name: 'acme/shop',
      name: 'shop',
      links: { html: { href: 'https://bitbucket.test/acme/shop' } },
    },
    actor: { nickname: 'ada' },
    push: {
      changes: [
        {
          new: {
            type: 'branch',
            name: 'main',
            target: {
              hash: AFTER,
              message: 'Round',
              author: { raw: 'Ada <ada@forge.test>' },
            },
          },
          old: { target: { hash: 'b'.repeat(40) } },
        },
      ],
    },
  },
  headers: ({ body }, secret) => ({
    'x-event-key': 'repo:push',
    'x-hub-signature': `sha256=${hex(body, secret)}`,
  }),
};

const SENDERS: [string, Sender][] = [
  ['GitHub', GITHUB],
  ['Gitea', GITEA],
  ['Forgejo', FORGEJO],
  ['GitLab with a token', GITLAB_TOKEN],
  ['GitLab with a signing token', GITLAB_STANDARD],
  ['A standard webhook with a signing token', STANDARD],
  ['Bitbucket', BITBUCKET],
];
const FORMS = SENDERS.slice(0, 3);

async function deliver(
  { payload, headers }: Sender,
  options: { isForm?: boolean; secret?: string; change?: string } = {},
) {
  const { isForm = false, secret, change = '' } = options;
  const json = JSON.stringify({ ...payload, nonce: Math.random() });
  const form = new URLSearchParams({ payload: json }).toString();
  const body = isForm ? form : json;
  return client.send(
    'POST',
    '/generic-webhook-trigger/invoke?token=token-of-the-hook',
    {
      body: body + change,
      headers: {
        'content-type': isForm
          ? 'application/x-www-form-urlencoded'
          : 'application/json',
        ...headers({ json, body }, secret),
        // Makes each one a separate delivery.
        'idempotency-key': String(Math.random()),
      },
    },
  );
}

describe.each(SENDERS)('%s', (name, sender) => {
  it('is accepted with its signature, and with that of the secret before a rotation', async () => {
    const { status, body } = await deliver(sender);
    expect([status, body.jobs?.signed.triggered]).toEqual([200, true]);
    // Signing tokens use a different key.
    const secret = name.includes('signing') ? undefined : OLD_SECRET;
    const before = await deliver(sender, { secret });
    expect(before.body.jobs?.signed.triggered).toBe(true);
  });

  it('is rejected with another secret, and without any signature', async () => {
    const wrong = await deliver(sender, { secret: 'secret-of-a-guesser' });
    expect([wrong.status, wrong.body]).toEqual([
      401,
      { message: 'The signature is missing or not valid' },
    ]);
    const bare = await deliver({
      ...sender,
      headers: sent =>
        Object.fromEntries(
          Object.entries(sender.headers(sent)).filter(
            ([header]) => !/signature|token/.test(header),
          ),
        ),
    });
    expect(bare.status).toBe(401);
  });

  it('is rejected if its body was changed, unless its forge sends only a token', async () => {
    const changed = await deliver(sender, { change: ' ' });
    expect(changed.status).toBe(name === 'GitLab with a token' ? 200 : 401);
  });
});

it.each(FORMS)('%s is accepted as a form', async (_name, sender) => {
  const { status, body } = await deliver(sender, { isForm: true });
  expect([status, body.jobs?.signed.triggered]).toEqual([200, true]);
  const wrong = await deliver(sender, { isForm: true, secret: 'guess' });
  expect(wrong.status).toBe(401);
});

it('rejects the SHA-1 signature that GitHub still sends, also as one of Bitbucket', async () => {
  const sha1: Sender = {
    ...GITHUB,
    headers: ({ body }) => ({
      'x-event-key': 'repo:push',
      'x-hub-signature': `sha1=${createHmac('sha1', SECRET).update(body).digest('hex')}`,
    }),
  };
  expect((await deliver(sha1)).status).toBe(401);
});
