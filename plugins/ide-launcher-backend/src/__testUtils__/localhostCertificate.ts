import { generate } from 'selfsigned';

/** Makes a certificate for `localhost`, and others of these names, that vouches for itself. */
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
