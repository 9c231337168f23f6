import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import request from 'supertest';
import giteaPush from '../__fixtures__/gitea/push.json';
import gitlabDeployment from '../__fixtures__/gitlab/deployment.json';
import gitlabPush from '../__fixtures__/gitlab/push.json';
import { Lake, PERSON, SERVICE, startLake } from '../__testUtils__/startLake';

const OLD = 'old-secret';
const NEW = 'new-secret';
const SIGNING_KEY = Buffer.alloc(32, 7);
const SIGNING_TOKEN = `whsec_${SIGNING_KEY.toString('base64')}`;

const lakes: Lake[] = [];
async function lake(options?: Parameters<typeof startLake>[0]) {
  const started = await startLake(options);
  lakes.push(started);
  return started;
}
afterEach(async () => {
  await Promise.all(lakes.splice(0).map(({ stop }) => stop()));
});

function hmac(
  secret: string | Buffer,
  text: string | Buffer,
  encoding: 'hex' | 'base64',
) {
  return createHmac('sha256', secret).update(text).digest(encoding);
}

const GITHUB_PUSH = JSON.stringify({
  ref: 'refs/heads/main',
  after: 'a'.repeat(40),
  repository: {
    full_name: 'shop/cart',
    default_branch: 'main',
    pushed_at: 1772700000,
  },
  commits: [
    {
      id: 'a'.repeat(40),
      message: 'Round totals — once',
      timestamp: '2026-03-05T09:00:00+01:00',
      url: 'https://github.com/shop/cart/commit/a',
      author: { name: 'Ada Lovelace' },
    },
  ],
});

const isLarge = (length: number) => length > 500_000;

function github(
  { server }: Lake,
  options: { body?: string; secret?: string; id?: string; type?: string } = {},
) {
  const { body = GITHUB_PUSH, secret } = options;
  const call = request(server)
    .post('/api/delivery-lake/webhooks/github')
    .set('Content-Type', 'application/json')
    .set('X-GitHub-Event', options.type ?? 'push')
    .set('X-GitHub-Delivery', options.id ?? 'd-1');
  if (secret) {
    call.set('X-Hub-Signature-256', `sha256=${hmac(secret, body, 'hex')}`);
  }
  return call.send(body);
}

describe('GitHub', () => {
  const webhooks = { github: { secrets: [OLD, NEW] } };

  it('is accepted with either of its secrets', async () => {
    const started = await lake({ webhooks });
    await github(started, { secret: OLD, id: 'd-1' }).expect(200);
    const answer = await github(started, { secret: NEW, id: 'd-2' });
    expect(answer.body).toEqual({
      accepted: 1,
      duplicates: 0,
      stale: 0,
      rejected: 0,
      results: [{ index: 0, outcome: 'accepted', id: 'deploy-0' }],
    });
    expect(started.ingest.deliveries.map(({ delivery }) => delivery)).toEqual([
      { channel: 'github', type: 'push', key: 'd-1', body: GITHUB_PUSH },
      { channel: 'github', type: 'push', key: 'd-2', body: GITHUB_PUSH },
    ]);
  });

  it('is rejected with another secret, without one, or with a changed body', async () => {
    const started = await lake({ webhooks });
    const wrong = await github(started, { secret: 'guess' });
    expect([wrong.status, wrong.body]).toEqual([
      401,
      { error: 'The signature does not match' },
    ]);
    const unsigned = await github(started);
    expect([unsigned.status, unsigned.body]).toEqual([
      401,
      { error: 'The delivery is not signed' },
    ]);
    await request(started.server)
      .post('/api/delivery-lake/webhooks/github')
      .set('Content-Type', 'application/json')
      .set('X-GitHub-Event', 'push')
      .set('X-Hub-Signature-256', `sha256=${hmac(OLD, GITHUB_PUSH, 'hex')}`)
      .send(GITHUB_PUSH.replace('shop/cart', 'shop/evil'))
      .expect(401);
    expect(started.ingest.deliveries).toEqual([]);
  });

  it('names the missing setting if there is no secret', async () => {
    const started = await lake();
    const answer = await github(started, { secret: 'any' });
    expect([answer.status, answer.body]).toEqual([
      401,
      {
        error:
          'Webhooks of github need a secret in deliveryLake.webhooks.github.secrets, or a service token',
      },
    ]);
  });

  it('is accepted only with a service token that may ingest', async () => {
    const started = await lake();
    await github(started).set('Authorization', SERVICE).expect(200);
    await github(started, { id: 'd-2' })
      .set('Authorization', PERSON)
      .expect(403);
    await github(started, { id: 'd-2' })
      .set('Authorization', 'Bearer made-up')
      .expect(401);
    const denied = await lake({ permitted: false });
    await github(denied).set('Authorization', SERVICE).expect(403);
    expect(started.ingest.deliveries).toHaveLength(1);
  });

  it("is accepted by its signature, regardless of a proxy's token", async () => {
    const started = await lake({ webhooks });
    await github(started, { secret: NEW })
      .set('Authorization', 'Bearer for-the-proxy')
      .expect(200);
    expect(started.ingest.deliveries).toHaveLength(1);
  });

  it('stores a repeated delivery once', async () => {
    const started = await lake({ webhooks });
    await github(started, { secret: NEW });
    const again = await github(started, { secret: NEW }).expect(200);
    expect(again.body).toMatchObject({ duplicates: 1, duplicate: true });
    expect(started.ingest.deliveries).toHaveLength(1);
  });

  it('may send signed forms', async () => {
    const started = await lake({ webhooks });
    const form = new URLSearchParams({ payload: GITHUB_PUSH }).toString();
    const answer = await github(started, { body: form, secret: NEW }).set(
      'Content-Type',
      'application/x-www-form-urlencoded',
    );
    expect(answer.body).toMatchObject({ accepted: 1 });
    expect(started.ingest.deliveries[0].delivery.body).toBe(GITHUB_PUSH);
  });

  it('gets a response to pings and unused events', async () => {
    const started = await lake({ webhooks });
    const ping = await github(started, {
      type: 'ping',
      body: '{"zen":"Speak like a human."}',
      secret: NEW,
    }).expect(200);
    expect(ping.body).toMatchObject({
      accepted: 0,
      ignored: 'GitHub sent a ping',
    });
    const star = await github(started, {
      type: 'star',
      body: '{}',
      secret: NEW,
      id: 'd-2',
    }).expect(200);
    expect(star.body.ignored).toContain('star');
    expect(started.ingest.deliveries[1].ignored).toContain('star');
  });

  it('gets the invalid field with status 200, because errors would disable the hook', async () => {
    const started = await lake({ webhooks });
    const answer = await github(started, { body: '{}', secret: NEW });
    expect([answer.status, answer.body.results]).toEqual([
      200,
      [
        {
          index: 0,
          outcome: 'rejected',
          error: 'ref is required',
          field: 'ref',
        },
      ],
    ]);
  });

  it('must send JSON with a type', async () => {
    const started = await lake({ webhooks });
    const broken = await github(started, { body: '{"ref":', secret: NEW });
    expect([broken.status, broken.body]).toEqual([
      400,
      { error: 'The request body is not valid JSON' },
    ]);
    await github(started, { secret: NEW })
      .set('Content-Type', 'text/xml')
      .expect(400);
    const typeless = await github(started, { secret: NEW }).unset(
      'X-GitHub-Event',
    );
    expect([typeless.status, typeless.body]).toEqual([
      400,
      { error: 'The header x-github-event is missing' },
    ]);
    const form = await github(started, { body: 'a=b', secret: NEW }).set(
      'Content-Type',
      'application/x-www-form-urlencoded',
    );
    expect([form.status, form.body]).toEqual([
      400,
      { error: 'The form has no field payload' },
    ]);
  });

  it.each([
    ['without a signature', { webhooks }],
    ['where there is no secret', {}],
  ])('is refused before its body has come %s', async (_when, options) => {
    const started = await lake(options);
    const { port } = started.server.address() as AddressInfo;
    const sent = http.request({
      port,
      method: 'POST',
      path: '/api/delivery-lake/webhooks/github',
      headers: {
        'content-type': 'application/json',
        'content-length': 1_000_000,
        'x-github-event': 'push',
        ...('webhooks' in options
          ? {}
          : { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }),
      },
    });
    sent.on('error', () => undefined);
    sent.flushHeaders();
    try {
      const signal = AbortSignal.timeout(20_000);
      const [answer] = await once(sent, 'response', { signal });
      expect(answer.statusCode).toBe(401);
    } finally {
      sent.destroy();
    }
  });

  it.each(['application/json', 'application/x-www-form-urlencoded'])(
    'has nothing made of its bytes, sent as %s, before it is believed',
    async type => {
      const started = await lake({ webhooks });
      const text = vi.spyOn(Buffer.prototype, 'toString');
      const concat = vi.spyOn(Buffer, 'concat');
      const parse = vi.spyOn(JSON, 'parse');
      try {
        const body = `{"commits":"${'c'.repeat(1_000_000)}"}`;
        const answer = await github(started, { body, secret: 'guess' })
          .set('Content-Type', type)
          .expect(401);
        expect(answer.body).toEqual({ error: 'The signature does not match' });
        const sizeOf = (value: unknown) =>
          (value as { length?: number }).length ?? 0;
        expect(text.mock.contexts.map(sizeOf).filter(isLarge)).toEqual([]);
        expect(
          parse.mock.calls.map(([sent]) => sizeOf(sent)).filter(isLarge),
        ).toEqual([]);
        expect(
          concat.mock.results.map(({ value }) => sizeOf(value)).filter(isLarge),
        ).toEqual([]);
      } finally {
        text.mockRestore();
        concat.mockRestore();
        parse.mockRestore();
      }
    },
  );

  describe('packed with gzip', () => {
    const post = ({ server }: Lake, body: Buffer, secret: string) =>
      request(server)
        .post('/api/delivery-lake/webhooks/github')
        .set('Content-Type', 'application/json')
        .set('Content-Encoding', 'gzip')
        .set('X-GitHub-Event', 'push')
        .set('X-Hub-Signature-256', `sha256=${hmac(secret, body, 'hex')}`)
        .serialize(bytes => bytes)
        .send(body);

    it('is unpacked once it is authenticated, up to 10 MiB', async () => {
      const started = await lake({ webhooks });
      await post(started, gzipSync(GITHUB_PUSH), NEW).expect(200);
      expect(started.ingest.deliveries[0].delivery.body).toBe(GITHUB_PUSH);
      const bomb = gzipSync(Buffer.alloc(50_000_000));
      await post(started, bomb, NEW).expect(413);
      await post(started, Buffer.from('{}'), NEW).expect(400);
    });

    it('is not unpacked before', async () => {
      const started = await lake({ webhooks });
      const bomb = gzipSync(Buffer.alloc(50_000_000));
      expect((await post(started, bomb, 'guess')).status).toBe(401);
    });
  });

  it('is rejected as soon as it is too large, signed or not', async () => {
    const started = await lake({ webhooks });
    const { port } = started.server.address() as AddressInfo;
    const headers = {
      'content-type': 'application/json',
      'x-github-event': 'push',
      'x-hub-signature-256': `sha256=${'0'.repeat(64)}`,
    };
    for (const sized of [{ 'content-length': 11_000_000 }, {}]) {
      const sent = http.request({
        port,
        method: 'POST',
        path: '/api/delivery-lake/webhooks/github',
        headers: { ...headers, ...sized },
      });
      sent.on('error', () => undefined);
      sent.flushHeaders();
      // A body without a length is sent until it is too large; it never ends.
      if (!('content-length' in sized)) {
        sent.write('x'.repeat(10 * 1024 * 1024 + 1));
      }
      try {
        const signal = AbortSignal.timeout(20_000);
        const [answer] = await once(sent, 'response', { signal });
        expect([answer.statusCode, answer.headers.connection]).toEqual([
          413,
          'close',
        ]);
      } finally {
        sent.destroy();
      }
    }
  });

  it('may send at most 10 MiB', async () => {
    const started = await lake({ webhooks });
    const body = JSON.stringify({ padding: 'x'.repeat(10 * 1024 * 1024) });
    const answer = await github(started, { body, secret: NEW });
    expect([answer.status, answer.body]).toEqual([
      413,
      { error: 'The request body is too large' },
    ]);
  });

  it('must post', async () => {
    const started = await lake({ webhooks });
    const answer = await request(started.server).get(
      '/api/delivery-lake/webhooks/github',
    );
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
  });
});

describe('GitLab', () => {
  const webhooks = { gitlab: { secrets: [OLD, SIGNING_TOKEN] } };
  const post = ({ server }: Lake, body: object, headers: object) =>
    request(server)
      .post('/api/delivery-lake/webhooks/gitlab')
      .set('X-Gitlab-Event', 'Push Hook')
      .set(headers as Record<string, string>)
      .send(body);

  it('is accepted with its secret token', async () => {
    const started = await lake({ webhooks });
    const answer = await post(started, gitlabPush, { 'X-Gitlab-Token': OLD });
    expect(answer.body).toMatchObject({ accepted: 2 });
    await post(started, gitlabPush, { 'X-Gitlab-Token': 'guess' }).expect(401);
    // The signing token is a key, and never sent.
    await post(started, gitlabPush, { 'X-Gitlab-Token': SIGNING_TOKEN }).expect(
      401,
    );
    await post(started, gitlabPush, {}).expect(401);
  });

  it('is rejected with another token before its body has arrived', async () => {
    const started = await lake({ webhooks });
    const { port } = started.server.address() as AddressInfo;
    const sent = http.request({
      port,
      method: 'POST',
      path: '/api/delivery-lake/webhooks/gitlab',
      headers: { 'content-length': 1_000_000, 'x-gitlab-token': 'guess' },
    });
    sent.on('error', () => undefined);
    sent.flushHeaders();
    try {
      const signal = AbortSignal.timeout(20_000);
      const [answer] = await once(sent, 'response', { signal });
      expect(answer.statusCode).toBe(401);
    } finally {
      sent.destroy();
    }
  });

  it('is accepted by the signature of its signing token', async () => {
    const started = await lake({ webhooks });
    const signed = (id: string) => {
      const time = '1772700000';
      const text = `${id}.${time}.${JSON.stringify(gitlabPush)}`;
      return {
        'webhook-id': id,
        'webhook-timestamp': time,
        'webhook-signature': `v1,bm9uZQ== v1,${hmac(
          SIGNING_KEY,
          text,
          'base64',
        )}`,
      };
    };
    await post(started, gitlabPush, signed('m-1')).expect(200);
    await post(started, gitlabPush, {
      ...signed('m-1'),
      'webhook-id': 'm-2',
    }).expect(401);
    expect(started.ingest.deliveries.map(it => it.delivery.key)).toEqual([
      'm-1',
    ]);
  });

  it('identifies a delivery by its idempotency key, never by a value that several hooks share', async () => {
    const started = await lake({ webhooks });
    const shared = { 'X-Gitlab-Token': OLD, 'X-Gitlab-Event-UUID': 'u-1' };
    await post(started, gitlabPush, shared);
    const other = await post(started, gitlabDeployment, shared);
    expect(other.body).toMatchObject({ accepted: 1 });
    const again = await post(started, gitlabPush, shared);
    expect(again.body).toMatchObject({ duplicate: true });
    await post(started, gitlabPush, { ...shared, 'Idempotency-Key': 'i-1' });
    expect(started.ingest.deliveries[2].delivery.key).toBe('i-1');
  });
});

describe.each(['gitea', 'forgejo'])('%s', forge => {
  const webhooks = { [forge]: { secrets: [NEW] } };
  const vendor = forge === 'gitea' ? 'Gitea' : 'Forgejo';
  const body = JSON.stringify(giteaPush);
  const signature = hmac(NEW, body, 'hex');
  const post = ({ server }: Lake) =>
    request(server)
      .post(`/api/delivery-lake/webhooks/${forge}`)
      .set('Content-Type', 'application/json')
      .set(`X-${vendor}-Event`, 'push')
      .set(`X-${vendor}-Delivery`, 'd-1');

  it('is accepted by the signature of its body', async () => {
    const started = await lake({ webhooks });
    const answer = await post(started)
      .set(`X-${vendor}-Signature`, signature)
      .send(body);
    expect(answer.body).toMatchObject({ accepted: 2 });
    expect(started.ingest.deliveries[0].delivery).toMatchObject({
      channel: forge,
      type: 'push',
      key: 'd-1',
    });
  });

  it('is rejected with another token, or with the empty token of a hook without a secret', async () => {
    const started = await lake({ webhooks });
    await post(started)
      .set(`X-${vendor}-Signature`, hmac(OLD, body, 'hex'))
      .send(body)
      .expect(401);
    const empty = await post(started)
      .set(`X-${vendor}-Signature`, '')
      .send(body);
    expect([empty.status, empty.body]).toEqual([
      401,
      { error: 'The delivery is not signed' },
    ]);
  });

  it('signs the JSON in a form, not the form', async () => {
    const started = await lake({ webhooks });
    const answer = await post(started)
      .set('Content-Type', 'application/x-www-form-urlencoded')
      .set(`X-${vendor}-Signature`, signature)
      .send(new URLSearchParams({ payload: body }).toString());
    expect(answer.body).toMatchObject({ accepted: 2 });
  });

  it('finds the JSON among other fields', async () => {
    const started = await lake({ webhooks });
    const answer = await post(started)
      .set('Content-Type', 'application/x-www-form-urlencoded')
      .set(`X-${vendor}-Signature`, signature)
      .send(
        new URLSearchParams({ a: 'payload=', payload: body, z: '' }).toString(),
      );
    expect(answer.body).toMatchObject({ accepted: 2 });
  });
});

it('accepts Forgejo by the headers of Gitea, which it sends as well', async () => {
  const started = await lake({ webhooks: { forgejo: { secrets: [NEW] } } });
  const body = JSON.stringify(giteaPush);
  await request(started.server)
    .post('/api/delivery-lake/webhooks/forgejo')
    .set('Content-Type', 'application/json')
    .set('X-Gitea-Event', 'push')
    .set('X-Gitea-Signature', hmac(NEW, body, 'hex'))
    .send(body)
    .expect(200);
  expect(started.ingest.deliveries).toMatchObject([
    { delivery: { channel: 'forgejo', type: 'push' } },
  ]);
});
