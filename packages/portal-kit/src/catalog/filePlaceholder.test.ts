import { createMockDirectory } from '@backstage/backend-test-utils';
import { resolveFilePlaceholder } from './filePlaceholder';

const directory = createMockDirectory({
  content: { catalog: { 'api.yaml': 'openapi: 3.1.0' }, 'secret.pem': 'key' },
});

function resolve(value: string, baseUrl = directory.resolve('catalog/a.yaml')) {
  return resolveFilePlaceholder({ key: 'file', value, baseUrl, emit() {} });
}

describe('resolveFilePlaceholder', () => {
  it('reads the file beside the descriptor', async () => {
    await expect(resolve('./api.yaml')).resolves.toBe('openapi: 3.1.0');
    await expect(resolve('../catalog/api.yaml')).resolves.toBe(
      'openapi: 3.1.0',
    );
  });

  it('reads nothing for a descriptor from elsewhere', async () => {
    await expect(
      resolve('./api.yaml', 'https://evil.example/catalog-info.yaml'),
    ).rejects.toThrow('the configuration names');
  });

  it('reads descriptions alone', async () => {
    await expect(resolve('../secret.pem')).rejects.toThrow('relative path');
  });
});
