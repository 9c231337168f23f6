import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { developmentCredentialIn, weakSecrets } from './secrets.ts';
import { stringsOf } from './readConfiguration.ts';

const development: unknown = parse(
  readFileSync(new URL('../../../../app-config.yaml', import.meta.url), 'utf8'),
);

/** Matches keys of credentials of any format. */
const CREDENTIAL_KEY = /(?:token|key|secrets?)(?:\[\d+\]|\.[\w-]+)?$/i;
/** Keys of forge secrets, which end in the forge's name. */
const FORGE_SECRET = /^spaceMetrics\.forges\./;
/** Matches like a credential but names its holder. */
const SUBJECT = /\.subject$/;

describe('developmentCredentialIn', () => {
  const credentials = [...stringsOf(development)].filter(
    ([key]) => CREDENTIAL_KEY.test(key) || FORGE_SECRET.test(key),
  );

  it('recognizes every credential in the development configuration', () => {
    expect(credentials.length).toBeGreaterThan(25);
    const unknown = credentials.filter(
      ([, value]) => !developmentCredentialIn(value),
    );
    expect(unknown).toEqual([]);
  });

  it('checks each of them as a secret in production', () => {
    const weak = new Set([...weakSecrets(development)].map(([key]) => key));
    const unmeasured = credentials.filter(([key]) => !weak.has(key));
    expect(unmeasured).toEqual([]);
  });

  it('recognizes everything else in it that looks like one', () => {
    const unknown = [...stringsOf(development)].filter(
      ([key, value]) =>
        /\bdev-|_dev_/.test(value) &&
        !SUBJECT.test(key) &&
        !developmentCredentialIn(value),
    );
    expect(unknown).toEqual([]);
  });

  it('finds one within a longer value, and its hash in either case', () => {
    const hash = createHash('sha256').update('dev-space-key').digest('hex');
    expect(developmentCredentialIn('Bearer dev-service-token')).toBe(
      'dev-service-token',
    );
    expect(developmentCredentialIn('*:*.dev-admin-token')).toBe(
      'dev-admin-token',
    );
    expect(developmentCredentialIn(hash)).toBe('hash of dev-space-key');
    expect(developmentCredentialIn(hash.toUpperCase())).toBe(
      'hash of dev-space-key',
    );
  });

  it.each([
    '',
    'a-real-one',
    'dev-service-token-of-production',
    'https://dev-portal.example.com',
  ])('accepts %j', value => {
    expect(developmentCredentialIn(value)).toBeUndefined();
  });
});
