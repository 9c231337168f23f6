import { generateWorkspaceName, nameFromUrl, sanitiseName } from './names';

describe('nameFromUrl', () => {
  it.each([
    ['https://raw.example.org/team/shop/main/devfile.yaml', 'shop'],
    ['https://git.example.org/team/shop/-/raw/main/.devfile.yml', 'shop'],
    ['https://example.org/samples/Node%20JS.yaml', 'node-js'],
    ['https://example.org/java/1.2.0/devfile.yaml', 'java'],
    ['https://example.org/', 'example-org'],
    ['https://example.org/%E0%A4%A', 'e0-a4-a'],
    ['https://127.0.0.1/devfile.yaml', 'workspace'],
  ])('of %s is %s', (url, name) => {
    expect(nameFromUrl(new URL(url))).toBe(name);
  });
});

describe('sanitiseName', () => {
  it.each([
    ['My App', 'my-app'],
    ['../../etc/passwd', 'etc-passwd'],
    ['Größe', 'gro-e'],
    ['99 bottles', 'bottles'],
    ['日本', ''],
    ['a'.repeat(80), 'a'.repeat(63)],
    [`${'a'.repeat(62)}--b`, 'a'.repeat(62)],
  ])('makes %j %j', (text, name) => {
    expect(sanitiseName(text)).toBe(name);
  });
});

describe('generateWorkspaceName', () => {
  const pattern = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;

  it.each([
    'shop',
    'Büro 日本',
    '日本',
    '',
    '-',
    '9',
    'x'.repeat(300),
    'a-'.repeat(60),
  ])('is a valid name for %j', devfileName => {
    expect(generateWorkspaceName(devfileName)).toMatch(pattern);
  });

  it('appends four characters that differ', () => {
    const names = Array.from({ length: 50 }, () =>
      generateWorkspaceName('shop'),
    );
    names.forEach(name => expect(name).toMatch(/^shop-[a-z0-9]{4}$/));
    expect(new Set(names).size).toBeGreaterThan(45);
  });
});
