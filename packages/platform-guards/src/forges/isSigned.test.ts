import { createHmac } from 'node:crypto';
import type { Sender } from './headers.ts';
import { isSigned } from './signatures.ts';

const OLD = 'old-secret';
const NEW = 'new-secret';
const BODY = '{"ref":"refs/heads/main","message":"Round — once"}';
const FORM = new URLSearchParams({ payload: BODY }).toString();

function hmac(
  secret: string | Buffer,
  text: string,
  encoding: 'hex' | 'base64' = 'hex',
) {
  return createHmac('sha256', secret).update(text).digest(encoding);
}

function check(
  forge: Sender,
  headers: Record<string, string>,
  options: { body?: string; message?: string; secrets?: string[] } = {},
) {
  const { body = BODY, secrets = [OLD, NEW] } = options;
  const message = 'message' in options ? options.message : body;
  const header = (name: string) => headers[name];
  const text = isSigned({
    forge,
    secrets,
    delivery: { header, body, message },
  });
  const bytes = isSigned({
    forge,
    secrets,
    delivery: { header, body: Buffer.from(body), message },
  });
  expect(bytes).toBe(text);
  return text;
}

describe('GitHub', () => {
  const signed = (secret: string, body = BODY) => ({
    'x-hub-signature-256': `sha256=${hmac(secret, body)}`,
  });

  it('is accepted with either of its secrets', () => {
    expect(check('github', signed(OLD))).toBe(true);
    expect(check('github', signed(NEW))).toBe(true);
  });

  it('is rejected with another secret, or if the body was changed', () => {
    expect(check('github', signed('guess'))).toBe(false);
    expect(check('github', signed(NEW), { body: `${BODY} ` })).toBe(false);
    expect(check('github', signed(NEW), { secrets: [] })).toBe(false);
    expect(check('github', signed(''), { secrets: [''] })).toBe(false);
  });

  it.each([
    'sha256=',
    'sha256=abc',
    hmac(NEW, BODY),
    `sha1=${hmac(NEW, BODY)}`,
    `sha256=${hmac(NEW, BODY)}0`,
    'sha256=é',
  ])('is rejected with the signature %s', signature => {
    expect(check('github', { 'x-hub-signature-256': signature })).toBe(false);
  });

  it('signs forms unmodified', () => {
    const options = { body: FORM, message: BODY };
    expect(check('github', signed(NEW, FORM), options)).toBe(true);
    expect(check('github', signed(NEW, BODY), options)).toBe(false);
  });

  it('may not be signed at all', () => {
    expect(check('github', {})).toBeUndefined();
    expect(check('github', { 'x-hub-signature-256': '' })).toBeUndefined();
    expect(check('github', signed(NEW, ''), { body: '' })).toBeUndefined();
  });
});

describe.each(['gitea', 'forgejo'] as const)('%s', forge => {
  it('signs in its own header, and in that of GitHub', () => {
    const own = `x-${forge}-signature`;
    expect(check(forge, { [own]: hmac(NEW, BODY) })).toBe(true);
    expect(check(forge, { [own]: hmac('guess', BODY) })).toBe(false);
    const githubs = { 'x-hub-signature-256': `sha256=${hmac(NEW, BODY)}` };
    expect(check(forge, githubs)).toBe(true);
  });

  it('signs the JSON in a form, not the form', () => {
    const headers = { 'x-gitea-signature': hmac(NEW, BODY) };
    expect(check(forge, headers, { body: FORM, message: BODY })).toBe(true);
    expect(
      check(forge, headers, { body: FORM, message: undefined }),
    ).toBeUndefined();
  });

  it('is rejected with the empty signature of a hook without a secret', () => {
    expect(check(forge, { 'x-gitea-signature': '' })).toBeUndefined();
  });
});

describe('GitLab', () => {
  const key = Buffer.alloc(32, 7);
  const token = `whsec_${key.toString('base64')}`;
  const secrets = [OLD, token];

  it('is accepted with its secret token', () => {
    expect(check('gitlab', { 'x-gitlab-token': OLD }, { secrets })).toBe(true);
    expect(check('gitlab', { 'x-gitlab-token': 'x' }, { secrets })).toBe(false);
    expect(check('gitlab', {}, { secrets })).toBeUndefined();
  });

  it('never sends its signing token, which is a key', () => {
    const headers = { 'x-gitlab-token': token };
    expect(check('gitlab', headers, { secrets })).toBe(false);
  });

  it('is accepted with one of several signatures of its signing token', () => {
    const headers = {
      'webhook-id': 'm-1',
      'webhook-timestamp': '1772700000',
      'webhook-signature': `v1,bm9uZQ== v1,${hmac(
        key,
        `m-1.1772700000.${BODY}`,
        'base64',
      )}`,
    };
    expect(check('gitlab', headers, { secrets })).toBe(true);
    const other = { ...headers, 'webhook-id': 'm-2' };
    expect(check('gitlab', other, { secrets })).toBe(false);
    const hidden = {
      ...headers,
      'webhook-signature': `${'v1,x '.repeat(8)}${
        headers['webhook-signature']
      }`,
    };
    expect(check('gitlab', hidden, { secrets })).toBe(false);
    const timeless = { ...headers, 'webhook-timestamp': '' };
    expect(check('gitlab', timeless, { secrets })).toBe(false);
  });
});

describe('PagerDuty', () => {
  const signed = (...secrets: string[]) => ({
    'x-pagerduty-signature': secrets
      .map(secret => `v1=${hmac(secret, BODY)}`)
      .join(','),
  });

  it('is accepted with any of its signatures, while its secret is rotated', () => {
    expect(check('pagerduty', signed(NEW))).toBe(true);
    const secrets = [NEW];
    expect(check('pagerduty', signed(OLD, NEW), { secrets })).toBe(true);
    expect(check('pagerduty', signed(NEW, OLD), { secrets })).toBe(true);
    const spaced = signed(OLD, NEW)['x-pagerduty-signature'];
    const headers = { 'x-pagerduty-signature': spaced.replace(',', ', ') };
    expect(check('pagerduty', headers, { secrets })).toBe(true);
  });

  it('is rejected with another secret, another version, or if the body was changed', () => {
    expect(check('pagerduty', signed('guess', 'other'))).toBe(false);
    expect(check('pagerduty', signed(NEW), { body: `${BODY} ` })).toBe(false);
    expect(
      check('pagerduty', { 'x-pagerduty-signature': `v0=${hmac(NEW, BODY)}` }),
    ).toBe(false);
    expect(check('pagerduty', signed(NEW), { secrets: [] })).toBe(false);
    expect(check('pagerduty', signed(''), { secrets: [''] })).toBe(false);
    expect(
      check('pagerduty', signed(...Array<string>(8).fill('guess'), NEW)),
    ).toBe(false);
  });

  it('may not be signed at all', () => {
    expect(check('pagerduty', {})).toBeUndefined();
  });
});

describe('Jira', () => {
  const signed = (secret: string) => ({
    'x-hub-signature': `sha256=${hmac(secret, BODY)}`,
  });

  it('is accepted with either of its secrets', () => {
    expect(check('jira', signed(OLD))).toBe(true);
    expect(check('jira', signed(NEW))).toBe(true);
  });

  it('is rejected with another secret, another method, or if the body was changed', () => {
    expect(check('jira', signed('guess'))).toBe(false);
    expect(check('jira', signed(NEW), { body: `${BODY} ` })).toBe(false);
    expect(
      check('jira', { 'x-hub-signature': `sha1=${hmac(NEW, BODY)}` }),
    ).toBe(false);
    expect(check('jira', {})).toBeUndefined();
  });
});
