import { ConfigReader } from '@backstage/config';
import { ReadingRules } from './ReadingRules';

const allow = [
  { host: 'git.example.org' },
  { host: 'localhost:8443', paths: ['/catalog'] },
  { host: '*.example.com' },
  { host: '[::1]:8080', paths: ['/catalog'] },
  { host: '[fd00:0:0::1]' },
  { host: '[::ffff:10.0.0.1]:8000-8100' },
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
  ['http://[::1]:8080/catalog/a.yaml', 'trusted'],
  ['http://[0:0:0:0:0:0:0:1]:8080/catalog/a.yaml', 'trusted'],
  ['http://[::1]:8080/secret.yaml', 'refused'],
  ['http://[::1]:8081/catalog/a.yaml', 'refused'],
  ['http://[::1]/catalog/a.yaml', 'refused'],
  ['http://[::2]:8080/catalog/a.yaml', 'refused'],
  ['https://[fd00::1]/a.yaml', 'trusted'],
  ['https://[fd00::1]:8443/a.yaml', 'refused'],
  ['http://[::ffff:a00:1]:8080/a.yaml', 'trusted'],
  ['http://[::ffff:a00:1]:8101/a.yaml', 'refused'],
])('judges %s: %s', (url, verdict) => {
  const rules = new ReadingRules(
    new ConfigReader({ backend: { reading: { allow } } }),
  );
  expect(rules.judge(new URL(url))).toBe(verdict);
});

it.each(['[1]', '[::1', '::1', '[::1]8080', 'localhost:8o', 'a:80:81', ''])(
  'names the entry with the invalid host "%s"',
  host => {
    const config = new ConfigReader({
      backend: { reading: { allow: [...allow, { host }] } },
    });
    expect(() => new ReadingRules(config)).toThrow(
      'backend.reading.allow[6].host',
    );
  },
);
