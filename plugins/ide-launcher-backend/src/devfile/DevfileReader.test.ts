import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigReader } from '@backstage/config';
import { InputError, NotAllowedError } from '@backstage/errors';
import { AddressRefusedError } from '@slipway/platform-guards';
import { patient } from '@slipway/dev-runner/src/patience.ts';
import { FakeAnswer, FakeUrlReader } from './__testUtils__/FakeUrlReader';
import { DevfileFetch, DevfileReader, readDevfileRules } from './DevfileReader';

const ADDRESS = 'https://git.example.org/app/devfile.yaml';

function readerFor(answer: FakeAnswer, options: { timeoutMs?: number } = {}) {
  return new DevfileReader({
    urlReader: new FakeUrlReader({ [ADDRESS]: answer }),
    ...options,
  });
}

async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => new Error('was not refused'),
    (reason: Error) => reason,
  );
  expect(error).toBeInstanceOf(InputError);
  return error.message;
}

describe('DevfileReader', () => {
  it('reads text that comes in pieces, in any script', async () => {
    const [head, tail] = [Buffer.from('naïve 日'), Buffer.from('本 🚀')];
    const bytes = Buffer.concat([head, tail]);
    const reader = readerFor(() =>
      Readable.from([
        bytes.subarray(0, 3),
        bytes.subarray(3, 9),
        bytes.subarray(9),
      ]),
    );
    await expect(reader.read(ADDRESS)).resolves.toBe('naïve 日本 🚀');
  });

  it.each([
    ['http://git.example.org/devfile.yaml', 'devfileUrl must be an https URL'],
    ['file:///etc/passwd', 'devfileUrl must be an https URL'],
    ['devfile.yaml', 'devfileUrl must be an https URL'],
    ['', 'devfileUrl must be an https URL'],
    [
      'https://ada:secret@git.example.org/devfile.yaml',
      'devfileUrl must not contain a user name or password',
    ],
  ])('refuses %s', async (address, message) => {
    expect(await refusal(readerFor('x').read(address))).toBe(message);
  });

  it('names the host that is not allowed and where to allow it', async () => {
    const address = 'https://elsewhere.example.org/devfile.yaml?token=secret';
    expect(await refusal(readerFor('x').read(address))).toBe(
      'cannot read https://elsewhere.example.org/devfile.yaml: host elsewhere.example.org is not allowed; ' +
        'allowed hosts are configured under backend.reading.allow',
    );
  });

  it('names the host to which a redirect leads', async () => {
    const answer = new NotAllowedError(
      'inner.example.org is not allowed',
      new AddressRefusedError(new URL('https://inner.example.org/x')),
    );
    expect(await refusal(readerFor(answer).read(ADDRESS))).toContain(
      'host inner.example.org is not allowed',
    );
  });

  it.each([
    [new Error(`could not read ${ADDRESS}, 503 Service Unavailable`), '503'],
    [new Error(`${ADDRESS} could not be read as x, 401 Unauthorized`), '401'],
  ])('says what the server answered', async (answer, status) => {
    expect(await refusal(readerFor(answer).read(ADDRESS))).toBe(
      `${ADDRESS} answered ${status}`,
    );
  });

  it('reports a missing file', async () => {
    const missing = 'https://git.example.org/none.yaml';
    expect(await refusal(readerFor('x').read(missing))).toBe(
      `${missing} answered 404`,
    );
  });

  it('does not reveal network errors', async () => {
    const answer = new Error(
      `Unable to read ${ADDRESS}, Error: connect ECONNREFUSED 10.1.2.3:443`,
    );
    const message = await refusal(readerFor(answer).read(ADDRESS));
    expect(message).toMatch(/^cannot reach git\.example\.org: /);
    expect(message).not.toContain('10.1.2.3');
  });

  it('stops reading a body of 2 MiB at 1 MiB', async () => {
    let sent = 0;
    const piece = Buffer.alloc(64 * 1024, 'a');
    const body = () =>
      Readable.from(
        (function* pieces() {
          for (; sent < 2 * 1024 * 1024; sent += piece.length) {
            yield piece;
          }
        })(),
      );
    expect(await refusal(readerFor(body).read(ADDRESS))).toBe(
      `${ADDRESS} is larger than 1048576 bytes`,
    );
    expect(sent).toBeLessThan(1.5 * 1024 * 1024);
  });

  it('aborts if a server sends too slowly, and closes the connection', async () => {
    let stream: Readable | undefined;
    const body = () => {
      stream = Readable.from(
        (async function* pieces() {
          for (;;) {
            await sleep(20);
            yield 'a';
          }
        })(),
      );
      return stream;
    };
    const started = Date.now();
    const reader = readerFor(body, { timeoutMs: 200 });
    expect(await refusal(reader.read(ADDRESS))).toBe(
      `${ADDRESS} did not answer within 0.2 s`,
    );
    expect(Date.now() - started).toBeLessThan(patient(2_000));
    expect(stream?.destroyed).toBe(true);
  });

  it('reads nothing after the deadline of an earlier read', async () => {
    const urlReader = new FakeUrlReader({ [ADDRESS]: 'x' });
    const signal = AbortSignal.timeout(1);
    await sleep(20);
    const reader = new DevfileReader({ urlReader });
    expect(await refusal(reader.read(ADDRESS, { signal }))).toBe(
      `${ADDRESS} did not answer within 10 s`,
    );
    expect(urlReader.read).toEqual([]);
  });

  it('rejects binary content', async () => {
    const answer = Buffer.from([0xff, 0xfe, 0x00]);
    expect(
      await refusal(readerFor(() => Readable.from([answer])).read(ADDRESS)),
    ).toBe(`${ADDRESS} is not UTF-8 text`);
  });

  it('does not connect to a host that resolves to a private address', async () => {
    const urlReader = new FakeUrlReader({ [ADDRESS]: 'x' });
    const allow = [{ host: '*.example.org' }];
    const reader = new DevfileReader({
      urlReader,
      fetch: new DevfileFetch({
        rules: readDevfileRules(
          new ConfigReader({ backend: { reading: { allow } } }),
        ),
        resolve: (_, callback) =>
          callback(null, [{ address: '10.0.0.7', family: 4 }]),
      }),
    });
    expect(await refusal(reader.read(ADDRESS))).toContain(
      'host git.example.org is not allowed',
    );
    expect(urlReader.read).toEqual([]);
  });
});
