import { ConfigReader } from '@backstage/config';
import { AddressGuard } from './AddressGuard';

describe('AddressGuard', () => {
  const allows = (guard: AddressGuard, url: string) =>
    guard.allows(new URL(url));

  it('looks at every address of a name', async () => {
    const guard = new AddressGuard({
      resolveHost: async () => ['93.184.216.34', '10.0.0.1'],
    });
    await expect(allows(guard, 'https://mixed.example.org')).resolves.toBe(
      false,
    );
  });

  it.each([
    'https://127.0.0.1',
    'https://[::1]',
    'https://0x7f000001',
    'https://2130706433',
  ])('refuses the literal address %s', async url => {
    await expect(allows(new AddressGuard(), url)).resolves.toBe(false);
  });

  it('leaves names that do not resolve to the reader', async () => {
    const guard = new AddressGuard({
      resolveHost: async () => {
        throw new Error('ENOTFOUND');
      },
    });
    await expect(allows(guard, 'https://x.example.org')).resolves.toBe(true);
  });

  it('trusts hosts that the configuration lists by name, not those of a wildcard', async () => {
    const guard = AddressGuard.fromConfig(
      new ConfigReader({
        backend: {
          reading: {
            allow: [{ host: 'localhost:8443' }, { host: '*.localhost' }],
          },
        },
      }),
    );
    await expect(allows(guard, 'https://localhost:8443')).resolves.toBe(true);
    await expect(allows(guard, 'https://127.0.0.1:8443')).resolves.toBe(false);
  });

  it('lets everything through when configured to', async () => {
    const guard = AddressGuard.fromConfig(
      new ConfigReader({
        ideLauncher: { devfile: { allowPrivateAddresses: true } },
      }),
    );
    await expect(allows(guard, 'https://127.0.0.1')).resolves.toBe(true);
  });
});
