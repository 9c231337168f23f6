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
  it('refuses a name with one private address among public ones', async () => {
    expect(await dial(answering('93.184.216.34', '10.0.0.7'))).toBe(
      'PrivateAddressError',
    );
  });

  it('refuses a name without addresses', async () => {
    expect(await dial(answering())).toBe('PrivateAddressError');
  });

  it('gives out the very addresses that it has checked', async () => {
    expect(await dial(answering('93.184.216.34'))).toEqual([
      { address: '93.184.216.34', family: 4 },
    ]);
  });

  it('takes private addresses that were asked for', async () => {
    expect(await dial(answering('10.0.0.7'), ip => ip === '10.0.0.7')).toEqual([
      { address: '10.0.0.7', family: 4 },
    ]);
  });
});
