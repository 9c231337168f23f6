import {
  confineSetCookies,
  IdeCookie,
  readCookie,
  withoutProtectedCookies,
} from './BrowserSessions';
import { IdeAddresses } from './ideRoutes';

describe('cookies on their way to a workspace', () => {
  it('are read by their whole name', () => {
    const header = 'a=1; slipway-ide=tok=en; xslipway-ide=no';
    expect(readCookie(header, 'slipway-ide')).toBe('tok=en');
    expect(readCookie(header, 'ide')).toBeUndefined();
    expect(readCookie(undefined, 'a')).toBeUndefined();
  });

  it("lose the portal's and the gateway's own", () => {
    expect(
      withoutProtectedCookies(
        'slipway-ide=1; vscode-tkn=2; backstage-auth=3; __Host-slipway-ide=4; github-refresh-token=5; theme=6',
      ),
    ).toBe('vscode-tkn=2; theme=6');
    expect(withoutProtectedCookies('backstage-auth=3')).toBeUndefined();
  });
});

describe('cookies that a workspace sets', () => {
  it('stay on its path, on its host, and leave protected names alone', () => {
    expect(
      confineSetCookies(
        [
          'sid=1; Path=/; Domain=localhost; HttpOnly',
          'deep=2; path=/app',
          'backstage-auth=evil; Path=/',
          ' slipway-ide=evil',
        ],
        { prefix: '/w/workspace-1' },
      ),
    ).toEqual([
      'sid=1; HttpOnly; Path=/w/workspace-1/',
      'deep=2; Path=/w/workspace-1/app',
    ]);
  });
});

describe('IdeCookie', () => {
  const session = { token: 'secret', maxAgeSeconds: 60 };

  it('is confined to one path on a shared origin', () => {
    const cookie = new IdeCookie(
      new IdeAddresses('http://localhost:7010/w/{workspace}/'),
    );
    expect(cookie.serialize({ prefix: '/w/workspace-1' }, session)).toBe(
      'slipway-ide=secret; Path=/w/workspace-1/; Max-Age=60; HttpOnly; SameSite=Lax',
    );
  });

  it('is pinned to its host with TLS and a host per workspace', () => {
    const cookie = new IdeCookie(
      new IdeAddresses('https://{workspace}.ide.example.org/'),
    );
    expect(cookie.serialize({ prefix: '' }, session)).toBe(
      '__Host-slipway-ide=secret; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
    );
  });
});
