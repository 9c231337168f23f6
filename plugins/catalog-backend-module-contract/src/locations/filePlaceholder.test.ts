import { createMockDirectory } from '@backstage/backend-test-utils';
import { createFilePlaceholder } from './FileLocationGuard';
import { FileTargets } from './FileTargets';

const directory = createMockDirectory({
  content: {
    catalog: {
      'a.yaml': '',
      'api.yaml': 'openapi: 3.1.0',
      registered: {
        'b.yaml': '',
        'own.yaml': 'own: 1',
        'out.yaml': ({ symlink }: { symlink(to: string): void }) =>
          symlink('../../app-config.local.yaml'),
      },
    },
    'app-config.local.yaml': 'password: hunter2',
    'secret.pem': 'key',
  },
});

function resolve(value: string, descriptor = 'catalog/a.yaml') {
  const files = new FileTargets([directory.resolve('catalog/registered')]);
  return createFilePlaceholder(files)({
    key: 'file',
    value,
    baseUrl: descriptor.includes(':')
      ? descriptor
      : directory.resolve(descriptor),
    emit() {},
    read: async () => Buffer.from(''),
    resolveUrl: url => url,
  });
}

describe('the placeholder $file', () => {
  it('reads the file next to the descriptor', async () => {
    await expect(resolve('./api.yaml')).resolves.toBe('openapi: 3.1.0');
    await expect(resolve('../catalog/api.yaml')).resolves.toBe(
      'openapi: 3.1.0',
    );
  });

  it('reads nothing for a descriptor from elsewhere', async () => {
    await expect(
      resolve('./api.yaml', 'https://evil.example/catalog-info.yaml'),
    ).rejects.toThrow('listed in the configuration');
  });

  it('reads descriptions alone', async () => {
    await expect(resolve('../secret.pem')).rejects.toThrow('relative path');
  });

  it('reads only within the folder of a registered descriptor', async () => {
    const registered = 'catalog/registered/b.yaml';
    await expect(resolve('own.yaml', registered)).resolves.toBe('own: 1');
    for (const value of [
      '../../app-config.local.yaml',
      directory.resolve('app-config.local.yaml'),
      '../api.yaml',
      'out.yaml',
    ]) {
      await expect(resolve(value, registered)).rejects.toThrow(
        'is outside the folders',
      );
    }
    await expect(resolve('nothing.yaml', registered)).rejects.toThrow(
      'there is no file nothing.yaml',
    );
  });
});
