import fc, { type Arbitrary } from 'fast-check';
import { nastyText, wellFormed } from './values.ts';

export type Header = readonly [name: string, value: string];

/** Data that a caller sends to authenticate. */
export interface Credential {
  /** The name that failures print. */
  name: string;
  headers: readonly Header[];
  /** A query parameter that is a credential, e.g. the token of a webhook. */
  query?: string;
}

const SPACES = ' '.repeat(15_600);

const base64 = (text: string) => Buffer.from(text).toString('base64');
const jwt = (header: object, payload: object) =>
  [header, payload]
    .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');

const admin = {
  sub: 'user:default/ada',
  ent: ['group:default/platform-admins'],
};

/** Credentials that are invalid in every possible way. */
const wrong: Arbitrary<Credential> = fc
  .oneof(
    fc.constantFrom<Header>(
      ['Authorization', `x y${SPACES}\tz`],
      ['Authorization', `Bearer${SPACES}x`],
      ['Authorization', `Bearer x${SPACES}x`],
      ['Authorization', `Basic ${'='.repeat(15_000)}`],
      ['Authorization', `Basic ${base64(':'.repeat(9_000))}`],
      ['Authorization', 'Basic'],
      ['Authorization', `Basic ${base64('dev')}`],
      ['Authorization', `Basic ${base64('dev:\u0000')}`],
      ['Authorization', 'Bearer'],
      ['Authorization', 'Bearer '],
      ['Authorization', 'Bearer a.b.c'],
      ['Authorization', `Bearer ${'a.'.repeat(7_000)}`],
      ['Authorization', `Bearer ${jwt({ alg: 'none' }, admin)}.`],
      [
        'Authorization',
        `Bearer ${jwt({ alg: 'HS256', kid: '../../x' }, admin)}.c2ln`,
      ],
      [
        'Authorization',
        `Bearer ${jwt(
          { alg: 'ES256', kid: 'x', jku: 'http://127.0.0.1:1/' },
          admin,
        )}.${'A'.repeat(86)}`,
      ],
      [
        'Authorization',
        `Bearer ${jwt(
          { typ: 'vnd.backstage.user', alg: 'ES256', kid: '1' },
          { ...admin, exp: 1e300 },
        )}.${'A'.repeat(86)}`,
      ],
      ['Authorization', `Bearer ${base64('{'.repeat(5_000))}.e30.e30`],
      ['Authorization', 'Digest username="x", nonce="'],
      ['Authorization', `${'a,'.repeat(7_000)}`],
      ['Authorization', '*:*.'],
      ['Authorization', 'default:development.*'],
      ['Authorization', '\x80\xff\xfe'],
      ['X-API-Key', 'wrong'],
      ['X-API-Key', ''],
      ['X-API-Key', 'x'.repeat(15_000)],
      ['X-API-Key', '\x80'],
      ['Cookie', 'backstage-auth=a.b.c'],
      [
        'Cookie',
        `backstage-auth=${jwt(
          { alg: 'none', typ: 'vnd.backstage.limited-user' },
          admin,
        )}.`,
      ],
      ['Cookie', `backstage-auth=${'%'.repeat(5_000)}`],
      ['Cookie', 'a=b; '.repeat(3_000)],
      ['Cookie', '='.repeat(15_000)],
    ),
    fc
      .tuple(fc.constantFrom('Bearer ', 'Basic ', 'bearer ', ''), nastyText)
      .map<Header>(([scheme, text]) => [
        'Authorization',
        oneLine(scheme + text),
      ]),
  )
  .map(header => ({ name: 'a wrong one', headers: [header] }));

/** Generates mostly valid credentials, so that requests get as far as the application code. */
export function credentialsOf(
  good: readonly Credential[],
): Arbitrary<Credential> {
  const none: Credential = { name: 'none', headers: [] };
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(none) },
    { weight: 2, arbitrary: wrong },
    ...(good.length === 0
      ? []
      : [{ weight: 8, arbitrary: fc.constantFrom(...good) }]),
  );
}

const oddHeader: Arbitrary<Header> = fc.oneof(
  fc.constantFrom<Header>(
    ['X-Forwarded-For', '127.0.0.1'],
    ['X-Forwarded-For', '::1, 10.0.0.1, unknown'],
    ['X-Forwarded-For', '1.1.1.1,'.repeat(1_900)],
    ['X-Forwarded-For', "'; DROP TABLE x; --"],
    ['X-Forwarded-Host', 'evil.example'],
    ['X-Forwarded-Proto', 'javascript'],
    ['X-Forwarded-Prefix', '/'.repeat(9_000)],
    ['Forwarded', 'for="[::1]";proto=https;by=x'],
    ['Origin', 'https://evil.example'],
    ['Origin', 'null'],
    ['Referer', `https://evil.example/${'a'.repeat(9_000)}`],
    ['Accept', '*/*;q=2, text/html'],
    ['Accept', 'a/b,'.repeat(3_500)],
    ['Accept-Encoding', 'gzip;q=0, br;q=x'],
    ['Accept-Encoding', 'gzip,'.repeat(2_500)],
    ['Accept-Language', '*-'.repeat(5_000)],
    ['If-None-Match', '"'.repeat(9_000)],
    ['If-None-Match', 'W/"a",'.repeat(2_000)],
    ['If-Modified-Since', 'never'],
    ['Range', 'bytes=0-,-1,'.repeat(900)],
    ['Range', 'bytes=9999999999999999999-'],
    ['X-Request-Id', 'a'.repeat(5_000)],
    ['X-Request-Id', '<script>'],
    ['traceparent', `00-${'f'.repeat(32)}-${'0'.repeat(16)}-ff`],
    ['baggage', 'a=b,'.repeat(3_000)],
    ['Idempotency-Key', '\x80'],
    ['Idempotency-Key', 'i'.repeat(9_000)],
    ['X-Hub-Signature-256', `sha256=${'0'.repeat(64)}`],
    ['X-Hub-Signature-256', `sha256=${'g'.repeat(9_000)}`],
    ['X-GitHub-Event', 'push'],
    ['X-GitHub-Event', '__proto__'],
    ['X-GitHub-Delivery', 'd'.repeat(9_000)],
    ['X-Gitlab-Event', 'Push Hook'],
    ['X-Gitlab-Token', 'dev-webhook-secre'],
    ['X-Gitea-Signature', '0'.repeat(64)],
    ['X-Forge-Event', 'constructor'],
    ['X-HTTP-Method-Override', 'DELETE'],
    ['Expect', '100-continue'],
    ['Expect', 'nonsense'],
    ['Upgrade', 'h2c'],
    ['Upgrade', 'websocket'],
    ['Connection', 'upgrade'],
    ['Connection', 'close'],
    ['Transfer-Encoding', 'chunked'],
    ['Transfer-Encoding', 'gzip, chunked'],
    ['Content-Length', '-1'],
    ['Content-Length', '99999999999'],
    ['Host', ''],
    ['Host', 'evil.example:99999'],
    ['Host', 'a b'],
    ['TE', 'trailers'],
    ['Cookie', '__proto__=1; a=%E0%A4%A'],
    ['No colon', ''],
    [' folded', 'x'],
    ['X-Many', 'x'.repeat(20_000)],
  ),
  fc
    .tuple(
      fc.constantFrom(
        'Accept',
        'Cookie',
        'Host',
        'Origin',
        'If-None-Match',
        'X-Request-Id',
        'X-Forwarded-For',
        'User-Agent',
        'UNLEASH-APPNAME',
        'X-GitHub-Event',
      ),
      nastyText,
    )
    .map<Header>(([name, text]) => [name, oneLine(text)]),
);

/** Headers other than those of body and credential; mostly none. */
export const oddHeaders: Arbitrary<readonly Header[]> = fc.oneof(
  { weight: 5, arbitrary: fc.constant([]) },
  { weight: 2, arbitrary: fc.array(oddHeader, { minLength: 1, maxLength: 3 }) },
);

/** Restricts a text to what a header can contain: one byte per character, no line breaks. */
function oneLine(text: string): string {
  return Buffer.from(wellFormed(text))
    .toString('latin1')
    .replaceAll(/[\r\n\0]/g, '')
    .slice(0, 15_000);
}
