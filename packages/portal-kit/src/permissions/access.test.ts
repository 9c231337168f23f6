import { mockCredentials } from '@backstage/backend-test-utils';
import { callerOf } from './access';

describe('callerOf', () => {
  it('is the user of a user credential', () => {
    expect(callerOf(mockCredentials.user('user:default/ada'))).toEqual({
      ref: 'user:default/ada',
      name: 'ada',
    });
  });

  it('is the subject of a service token', () => {
    expect(callerOf(mockCredentials.service('external:CI.Runner_1'))).toEqual({
      ref: 'external:CI.Runner_1',
      name: 'external-ci-runner-1',
    });
  });

  it.each([
    ['user:default/9-Grace.Hopper', 'grace-hopper'],
    ['user:default/42', 'user'],
    [`user:default/${'a'.repeat(80)}`, 'a'.repeat(52)],
  ])('converts %s to a DNS label', (ref, name) => {
    expect(callerOf(mockCredentials.user(ref)).name).toBe(name);
  });

  it('rejects other principals', () => {
    expect(() => callerOf(mockCredentials.none())).toThrow(
      'A user or service credential is required',
    );
  });
});
