import { refusal } from '@slipway/test-pages';
import {
  checkDevfileUrl,
  checkName,
  httpsAddress,
  placeOfError,
} from './useCreateForm';

describe('checkDevfileUrl', () => {
  it.each([
    ['https://git.example.org/devfile.yaml', undefined],
    ['  https://git.example.org/devfile.yaml ', undefined],
    ['', 'urlRequired'],
    ['http://git.example.org/devfile.yaml', 'urlNotHttps'],
    ['git.example.org/devfile.yaml', 'urlNotHttps'],
    ['https://', 'urlNotHttps'],
  ])('%j: %s', (url, fault) => {
    expect(checkDevfileUrl(url)).toBe(fault);
  });
});

describe('httpsAddress', () => {
  it.each([
    ['git@github.com:acme/shop.git', 'https://github.com/acme/shop.git'],
    [
      'ssh://git@git.example.org/acme/shop',
      'https://git.example.org/acme/shop',
    ],
    [
      'ssh://git@git.example.org:7999/acme/shop.git',
      'https://git.example.org/acme/shop.git',
    ],
    // In this syntax, digits are the owner and not a port.
    ['git@github.com:2048/shop.git', 'https://github.com/2048/shop.git'],
    [' git@github.com:acme/shop.git ', 'https://github.com/acme/shop.git'],
    // A port that is still being typed.
    ['ssh://git@git.example.org:7', 'ssh://git@git.example.org:7'],
    ['git@github.com:', 'git@github.com:'],
    // Parts of an address cannot become its host.
    ['git@github.com@evil.example:a/b', 'git@github.com@evil.example:a/b'],
    ['ssh://git@[::1]/acme/shop', 'ssh://git@[::1]/acme/shop'],
    ['git@github.com://evil.example/a', 'git@github.com://evil.example/a'],
    ['https://git@github.com/acme/shop', 'https://git@github.com/acme/shop'],
    [' a text ', ' a text '],
  ])('%j: %s', (text, address) => {
    expect(httpsAddress(text)).toBe(address);
  });
});

describe('checkName', () => {
  it.each(['', 'a', 'api-gateway', `a${'b'.repeat(62)}`])('takes %j', name => {
    expect(checkName(name)).toBeUndefined();
  });

  it.each(['1a', 'A', 'a-', '-a', 'a_b', '../a', `a${'b'.repeat(63)}`])(
    'refuses %j',
    name => {
      expect(checkName(name)).toBe('namePattern');
    },
  );
});

describe('placeOfError', () => {
  it.each([
    [409, 'api-gateway exists in ada-workspaces', 'name'],
    [400, 'name: must start with a lower-case letter', 'name'],
    [400, 'namespace: must start with a lower-case letter', 'namespace'],
    [400, 'components[0].name is required', 'devfileUrl'],
    [403, 'You have 10 of at most 10 workspaces', 'form'],
    [500, 'Internal error', 'form'],
  ])('%i %j belongs at %s', async (status, error, place) => {
    expect(placeOfError(await refusal(status, error))).toBe(place);
  });
});
