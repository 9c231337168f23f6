import { ConfigReader } from '@backstage/config';
import { ReadingRules } from './GuardedUrlReader';

const allow = [
  { host: 'git.example.org' },
  { host: 'localhost:8443', paths: ['/catalog'] },
  { host: '*.example.com' },
];

it.each([
  ['https://git.example.org/a.yaml', 'trusted'],
  ['http://localhost:8443/catalog/a.yaml', 'trusted'],
  ['https://localhost:8443/secret.yaml', 'refused'],
  ['https://localhost/catalog/a.yaml', 'refused'],
  // The owner of the name decides where it resolves to.
  ['https://any.example.com/a.yaml', 'public'],
  ['https://example.com/a.yaml', 'refused'],
  ['ftp://git.example.org/a.yaml', 'refused'],
])('judges %s: %s', (url, verdict) => {
  const rules = new ReadingRules(
    new ConfigReader({ backend: { reading: { allow } } }),
  );
  expect(rules.judge(new URL(url))).toBe(verdict);
});
