import { mockCredentials } from '@backstage/backend-test-utils';
import { callerOf } from '@slipway/portal-kit';
import { defaultNamespace } from './policy';

const user = (ref: string) =>
  defaultNamespace(callerOf(mockCredentials.user(ref)));
const service = (subject: string) =>
  defaultNamespace(callerOf(mockCredentials.service(subject)));

const LABEL = /^[a-z][-a-z0-9]{0,61}[a-z0-9]$/;

describe('defaultNamespace', () => {
  it('is named after a user whose name is a DNS label', () => {
    expect(user('user:default/ada')).toBe('ada-workspaces');
    expect(user('user:default/Kim-Lee')).toBe('kim-lee-workspaces');
  });

  it('belongs to one owner', () => {
    const namespaces = [
      user('user:default/kim-lee'),
      user('user:default/kim.lee'),
      user('user:default/kim_lee'),
      user('user:default/9kim-lee'),
      user('user:partners/kim-lee'),
      service('kim-lee'),
      service('user:default/kim-lee'),
      user(`user:default/${'k'.repeat(52)}`),
      user(`user:default/${'k'.repeat(60)}`),
      user(`user:default/${'k'.repeat(61)}`),
    ];
    expect(new Set(namespaces).size).toBe(namespaces.length);
    expect(namespaces[1]).toMatch(/^kim-lee-[0-9a-f]{6}-workspaces$/);
    for (const namespace of namespaces) {
      expect(namespace).toMatch(LABEL);
    }
  });
});
