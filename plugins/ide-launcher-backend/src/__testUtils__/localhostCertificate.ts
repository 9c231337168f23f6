import { generate } from 'selfsigned';

/** Creates a self-signed certificate for `localhost` and the given other names. */
export function makeLocalhostCertificate(...others: string[]): {
  cert: string;
  key: string;
} {
  const { cert, private: key } = generate(
    [{ name: 'commonName', value: 'localhost' }],
    {
      keySize: 2048,
      algorithm: 'sha256',
      extensions: [
        { name: 'basicConstraints', cA: true },
        {
          name: 'subjectAltName',
          altNames: ['localhost', ...others].map(value => ({ type: 2, value })),
        },
      ],
    },
  );
  return { cert, key };
}
