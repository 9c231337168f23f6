import { publicLookup, type ResolveAll } from './guardedRequest.ts';

const answering =
  (...addresses: string[]): ResolveAll =>
  (_, callback) =>
    callback(
      null,
      addresses.map(address => ({ address, family: 4 })),
    );

function dial(...parameters: Parameters<typeof publicLookup>) {
  return new Promise(done => {
    publicLookup(...parameters)(
      'x.example.org',
      { all: true },
      (error, found) => done(error ? error.name : found),
    );
  });
}

describe('publicLookup', () => {
  it('rejects a name with one private address among public ones', async () => {
    expect(await dial(answering('93.184.216.34', '10.0.0.7'))).toBe(
      'PrivateAddressError',
    );
  });

  it('rejects a name without addresses', async () => {
    expect(await dial(answering())).toBe('PrivateAddressError');
  });

  it('returns exactly the addresses that it has checked', async () => {
    expect(await dial(answering('93.184.216.34'))).toEqual([
      { address: '93.184.216.34', family: 4 },
    ]);
  });

  it('accepts private addresses that are allowed', async () => {
    expect(await dial(answering('10.0.0.7'), ip => ip === '10.0.0.7')).toEqual([
      { address: '10.0.0.7', family: 4 },
    ]);
  });
});
