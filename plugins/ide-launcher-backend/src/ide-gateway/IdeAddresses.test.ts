import { IdeAddresses } from './ideRoutes';

const ID = 'workspace-0193-abc';

describe('IdeAddresses with the workspace in the path', () => {
  const addresses = new IdeAddresses('http://localhost:7010/w/{workspace}/');

  it('builds addresses that it routes back', () => {
    expect(addresses.ide(ID)).toBe(`http://localhost:7010/w/${ID}/`);
    expect(addresses.endpoint(ID, 8080, '/api?x=1')).toBe(
      `http://localhost:7010/w/${ID}--8080/api?x=1`,
    );
    expect(
      addresses.route({ host: 'localhost:7010', url: `/w/${ID}/a/b?c=d` }),
    ).toEqual({
      workspaceId: ID,
      port: null,
      path: '/a/b?c=d',
      prefix: `/w/${ID}`,
    });
    expect(
      addresses.route({ host: 'any.forwarded:1234', url: `/w/${ID}--8080` }),
    ).toEqual({
      workspaceId: ID,
      port: 8080,
      path: '/',
      prefix: `/w/${ID}--8080`,
    });
  });

  it.each(['../workspace-other/', '/%2E%2e/x', 'a/../../x', 'a\\..\\..\\x'])(
    'keeps the path %s within the endpoint',
    path => {
      expect(addresses.endpoint(ID, 8080, path)).toBe(
        `http://localhost:7010/w/${ID}--8080/`,
      );
    },
  );

  it.each([
    '/',
    '/w/',
    '/w/other-0193/',
    '/w/workspace-/',
    `/w/${ID}--0/`,
    `/w/${ID}--123456/`,
    `/w/${ID}%2f../`,
    `/x/w/${ID}/`,
  ])('routes %s nowhere', url => {
    expect(addresses.route({ host: 'localhost:7010', url })).toBeUndefined();
  });
});

describe('IdeAddresses with a host per workspace', () => {
  const addresses = new IdeAddresses('https://{workspace}.ide.example.org/');

  it('builds addresses that it routes back', () => {
    expect(addresses.ide(ID)).toBe(`https://${ID}.ide.example.org/`);
    expect(
      addresses.route({ host: `${ID}.ide.example.org`, url: '/a?b' }),
    ).toEqual({ workspaceId: ID, port: null, path: '/a?b', prefix: '' });
    expect(
      addresses.route({ host: `${ID}--3000.ide.example.org`, url: '/' }),
    ).toMatchObject({ workspaceId: ID, port: 3000 });
  });

  it.each([
    'ide.example.org',
    `${ID}.ide.example.org.evil.example`,
    `evil.${ID}.ide.example.org`,
    `${ID}.ideXexample.org`,
  ])('routes host %s nowhere', host => {
    expect(addresses.route({ host, url: '/' })).toBeUndefined();
  });
});

it.each([
  'http://localhost:7010/',
  'http://localhost:7010/w/{workspace}',
  'ftp://{workspace}.example.org/',
  'not an address {workspace}/',
  'http://{workspace}.example.org/{workspace}/',
])('refuses the template %s', template => {
  expect(() => new IdeAddresses(template)).toThrow('IDE address template');
});
