import { createHmac } from 'node:crypto';

/** The secrets to which the webhook job refers, by name. */
export const WEBHOOK_SECRETS = {
  hook: 'bench-webhook-token-Tq3mZ8Hx5kVd2Rw7',
  signing: 'bench-signature-Lw5xR2Nb8jKc4Fy6Vt9q',
};

/** A job that signed webhooks of every forge can trigger. */
export const WEBHOOK_JOB = {
  concurrent: true,
  webhook: { token: 'hook', signingSecrets: ['signing'] },
  steps: [{ name: 'Build', run: 'true' }],
};

/** A webhook as a forge sends it. */
export interface ForgeDelivery {
  /** The id of the delivery, which does not change when it is sent again. */
  id: string;
  headers: Record<string, string>;
  body: string;
}

const repository = {
  id: 12,
  name: 'shop',
  full_name: 'acme/shop',
  clone_url: 'https://forge.example/acme/shop.git',
};
const author = { name: 'Ada', email: 'ada@forge.example' };

function pushOf(commit: string) {
  return {
    ref: 'refs/heads/main',
    before: '0'.repeat(40),
    after: commit,
    commits: [{ id: commit, message: 'Round prices once', author }],
    repository,
    pusher: { name: 'ada' },
  };
}

function gitlabPushOf(commit: string) {
  return {
    object_kind: 'push',
    ref: 'refs/heads/main',
    before: '0'.repeat(40),
    after: commit,
    checkout_sha: commit,
    project: {
      id: 12,
      git_http_url: repository.clone_url,
      path_with_namespace: repository.full_name,
    },
    user_username: 'ada',
    commits: [{ id: commit, message: 'Round prices once', author }],
  };
}

function bitbucketPushOf(commit: string) {
  const target = { hash: commit, message: 'Round', author: { raw: 'Ada' } };
  return {
    repository: { uuid: '{1}', name: 'shop', full_name: 'acme/shop' },
    actor: { nickname: 'ada' },
    push: { changes: [{ new: { type: 'branch', name: 'main', target } }] },
  };
}

/** The payload and headers with which each forge sends a push. */
const FORGES: readonly {
  payload(commit: string): object;
  headers(sent: { id: string; mac: string; secret: string }): object;
}[] = [
  {
    payload: pushOf,
    headers: ({ id, mac }) => ({
      'x-github-event': 'push',
      'x-github-delivery': id,
      'x-hub-signature-256': `sha256=${mac}`,
    }),
  },
  {
    payload: gitlabPushOf,
    headers: ({ id, secret }) => ({
      'x-gitlab-event': 'Push Hook',
      'idempotency-key': id,
      'x-gitlab-token': secret,
    }),
  },
  ...['gitea', 'forgejo'].map(forge => ({
    payload: pushOf,
    headers: ({ id, mac }: { id: string; mac: string }) => ({
      [`x-${forge}-event`]: 'push',
      [`x-${forge}-delivery`]: id,
      [`x-${forge}-signature`]: mac,
    }),
  })),
  {
    payload: bitbucketPushOf,
    headers: ({ id, mac }) => ({
      'x-event-key': 'repo:push',
      'x-request-uuid': id,
      'x-hub-signature': `sha256=${mac}`,
    }),
  },
];

/**
 * Creates the delivery of a push. Consecutive numbers come from different forges.
 *
 * @param options.isForged - true to sign it with the wrong secret.
 */
export function makeDelivery(
  number: number,
  { isForged = false } = {},
): ForgeDelivery {
  const forge = FORGES[number % FORGES.length];
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const commit = number.toString(16).padStart(40, '0');
  const body = JSON.stringify(forge.payload(commit));
  const secret = isForged ? 'of-somebody-else' : WEBHOOK_SECRETS.signing;
  const mac = createHmac('sha256', secret).update(body).digest('hex');
  return {
    id,
    headers: {
      'content-type': 'application/json',
      ...forge.headers({ id, mac, secret }),
    },
    body,
  };
}
