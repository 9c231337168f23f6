import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { developmentCredentialIn, weakSecrets } from './secrets.ts';
import { stringsOf } from './readConfiguration.ts';

const development: unknown = parse(
  readFileSync(new URL('../../../../app-config.yaml', import.meta.url), 'utf8'),
);

/** Keys that hold a credential, whatever it looks like. */
const CREDENTIAL_KEY = /(?:token|key|secrets?)(?:\[\d+\]|\.[\w-]+)?$/i;
/** Of the forges, whose names are keys. */
const FORGE_SECRET = /^spaceMetrics\.forges\./;
/** Looks like a credential and is who shows one. */
const SUBJECT = /\.subject$/;

describe('developmentCredentialIn', () => {
  const credentials = [...stringsOf(development)].filter(
    ([key]) => CREDENTIAL_KEY.test(key) || FORGE_SECRET.test(key),
  );

  it('knows every credential of the development configuration', () => {
    expect(credentials.length).toBeGreaterThan(25);
    const unknown = credentials.filter(
      ([, value]) => !developmentCredentialIn(value),
    );
    expect(unknown).toEqual([]);
  });

  it('has each of them measured as a secret in production', () => {
    const weak = new Set([...weakSecrets(development)].map(([key]) => key));
    const unmeasured = credentials.filter(([key]) => !weak.has(key));
    expect(unmeasured).toEqual([]);
  });

  it('knows whatever else in it looks like one', () => {
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
  ])('lets %j be', value => {
    expect(developmentCredentialIn(value)).toBeUndefined();
  });
});
