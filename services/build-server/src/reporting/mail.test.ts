import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { openTestDatabase } from '@slipway/service-kit/testing';
import { SMTPServer } from 'smtp-server';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import { startBuildServer } from '../__testUtils__/startBuildServer.ts';
import { MailQueue } from './MailQueue.ts';
import { smtpTransport } from './mailTransport.ts';
import { buildServer } from '../service.ts';

interface Taken {
  to: string[];
  from: string;
  user: string | undefined;
  isEncrypted: boolean;
  raw: string;
}

let directory: string;
let server: SMTPServer;
let port: number;
let taken: Taken[];
/** The reply to the next receivers, if it is not 250. */
let refusals: number[];

function refuse(code: number): Error {
  return Object.assign(new Error(`Refused for eve@example.org`), {
    responseCode: code,
  });
}

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'smtp-'));
  const at = (name: string) => path.join(directory, name);
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-nodes', '-days', '2'],
      ...['-pkeyopt', 'ec_paramgen_curve:prime256v1'],
      ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
      ...['-keyout', at('key.pem'), '-out', at('cert.pem')],
    ],
    { stdio: 'ignore' },
  );
  server = new SMTPServer({
    key: await readFile(at('key.pem')),
    cert: await readFile(at('cert.pem')),
    // Credentials are accepted over TLS only.
    allowInsecureAuth: false,
    disableReverseLookup: true,
    onAuth({ username, password }, _session, done) {
      const isRight = username === 'builds' && password === 'smtp-password';
      done(isRight ? null : refuse(535), { user: username });
    },
    onRcptTo(_address, _session, done) {
      const code = refusals.shift();
      done(code === undefined ? null : refuse(code));
    },
    onData(stream, session, done) {
      void text(stream).then(raw => {
        const { mailFrom, rcptTo } = session.envelope;
        taken.push({
          to: rcptTo.map(({ address }) => address),
          from: mailFrom === false ? '' : mailFrom.address,
          user: session.user as string | undefined,
          isEncrypted: session.secure,
          raw,
        });
        done();
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>(resolve => {
    server.listen(0, 'localhost', resolve);
  });
  ({ port } = server.server.address() as AddressInfo);
});

beforeEach(() => {
  taken = [];
  refusals = [];
});

afterAll(async () => {
  await new Promise<void>(resolve => {
    server.close(() => resolve());
  });
  await rm(directory, { recursive: true, force: true });
});

const options = () => ({
  host: 'localhost',
  port,
  security: 'starttls' as const,
  user: 'builds',
  password: 'smtp-password',
  from: 'builds@example.org',
  authorDomains: ['example.org'],
  caFile: path.join(directory, 'cert.pem'),
});

/** Returns the value of a mail header, unfolded. */
function header({ raw }: Taken, name: string): string | undefined {
  const [head] = raw.split('\r\n\r\n');
  return head
    .replace(/\r\n[ \t]/g, ' ')
    .split('\r\n')
    .find(one => one.toLowerCase().startsWith(`${name.toLowerCase()}: `))
    ?.slice(name.length + 2);
}

const sendOf = (config: Partial<ReturnType<typeof options>>) =>
  smtpTransport({ ...options(), ...config }).send(
    'id-1',
    { to: 'ada@example.org', subject: 'shop #1 is broken', text: 'Text' },
    new AbortController().signal,
  );

it('mails the addresses of a job and its authors when it breaks and is fixed', async () => {
  const builds = await startBuildServer({
    jobs: [
      {
        name: 'shop',
        mail: { to: ['team@other.test', 'Ada@example.org'], authors: true },
        webhook: { token: 'hello-webhook' },
        parameters: [{ name: 'HOW', payload: 'how' }],
        steps: [{ name: 'Run', run: '$HOW' }],
      },
    ],
    config: {
      portal: { baseUrl: 'http://127.0.0.1:1', appUrl: 'http://portal' },
      mail: options(),
    },
  });
  const client = new BuildClient(builds.url);
  const addresses = [
    ...['ada@example.org', 'grace@example.org', 'eve@evil.test'],
    'x@example.org\r\nBcc: eve@evil.test',
    'a@evil.test, b@example.org',
    'nobody@notexample.org',
  ];
  const push = async (how: string, number: number) => {
    const { status } = await client.json(
      '/generic-webhook-trigger/invoke?token=test-webhook-token',
      {
        how,
        ref: 'refs/heads/main',
        after: String(number).repeat(40),
        commits: addresses.map(email => ({
          id: String(number).repeat(40),
          message: 'Change',
          author: { name: 'Ada\r\nBcc: eve@evil.test', email },
        })),
      },
    );
    expect(status).toBe(200);
    await client.ended(`/job/shop/${number}/`);
  };
  const arrived = async (count: number) => {
    await vi.waitFor(() => expect(taken).toHaveLength(count), {
      timeout: 20_000,
      interval: 50,
    });
    return taken.splice(0);
  };
  try {
    await push('true', 1);
    await push('false', 2);
    const broken = await arrived(3);
    expect(broken.map(({ to }) => to).sort()).toEqual([
      ['ada@example.org'],
      ['grace@example.org'],
      ['team@other.test'],
    ]);
    for (const mail of broken) {
      expect(mail).toMatchObject({
        from: 'builds@example.org',
        user: 'builds',
        isEncrypted: true,
      });
      expect(header(mail, 'To')).toBe(mail.to[0]);
      expect(header(mail, 'Subject')).toBe('shop #2 is broken');
      expect(header(mail, 'Auto-Submitted')).toBe('auto-generated');
      expect(header(mail, 'Message-ID')).toMatch(
        /^<[0-9a-f-]{36}@example\.org>$/,
      );
      expect(header(mail, 'Bcc')).toBeUndefined();
      expect(mail.raw).toContain('http://portal/builds/shop/2');
    }
    expect(new Set(broken.map(one => header(one, 'Message-ID'))).size).toBe(3);

    // Still broken: no news.
    await push('false', 3);
    await push('true', 4);
    const mended = await arrived(3);
    expect(mended.map(one => header(one, 'Subject'))).toEqual(
      Array.from({ length: 3 }, () => 'shop #4 is fixed'),
    );
    // Addresses in commits are never shown.
    const { text: shown } = await client.get('/job/shop/4/api/json?depth=2');
    expect(shown).toContain('Change');
    expect(shown).not.toMatch(/@example\.org/);
  } finally {
    await builds.stop();
  }
});

it('retries what the server cannot take yet, and gives up what it refuses', async () => {
  let now = 1_000;
  const warnings: object[] = [];
  const { database, dispose } = await openTestDatabase('sqlite', buildServer);
  // Creates the tables.
  const creator = await startBuildServer({ database, jobs: [] });
  await creator.stop();
  const queue = new MailQueue({
    database,
    transport: smtpTransport(options()),
    logger: { warn: details => warnings.push(details) },
    now: () => now,
  });
  const { signal } = new AbortController();
  const mail = { to: 'ada@example.org', subject: 'News', text: 'Text' };
  await database.transaction(trx => queue.enqueue(trx, [mail]));
  refusals = [451];
  await queue.work(signal);
  await queue.work(signal);
  expect(taken).toEqual([]);
  now += 5_000;
  await queue.work(signal);
  expect(taken).toHaveLength(1);

  await database.transaction(trx => queue.enqueue(trx, [mail, mail]));
  refusals = [550];
  await queue.work(signal);
  now += 24 * 3_600_000;
  await queue.work(signal);
  expect(taken).toHaveLength(2);
  // Replies of servers contain addresses, so they are not logged.
  expect(warnings).toEqual([
    { reason: 'EENVELOPE 451' },
    { reason: 'EENVELOPE 550' },
  ]);
  await dispose();
});

it.each([
  ['a certificate of nobody known', { caFile: undefined }, 'ESOCKET'],
  ['a wrong password', { password: 'wrong' }, 'EAUTH 535'],
  ['a server that is not there', { port: 1 }, 'ESOCKET'],
])('keeps a mail for %s', async (_what, config, reason) => {
  expect(await sendOf(config)).toEqual({ reason, isFinal: false });
  expect(taken).toEqual([]);
});

it('ends an attempt and its connection after 40 seconds, however busy the server seems', async () => {
  let drip: NodeJS.Timeout | undefined;
  let isClosed = false;
  const slow = createServer(socket => {
    socket.write('220 localhost\r\n');
    socket.once('data', () => {
      // Never sends the last line of the reply, but is never silent for long.
      drip = setInterval(() => socket.write('250-WAIT\r\n'), 20);
      slow.emit('greeted');
    });
    socket.on('error', () => {});
    socket.once('close', () => {
      isClosed = true;
    });
  });
  const greeted = once(slow, 'greeted');
  await new Promise<void>(resolve => {
    slow.listen(0, 'localhost', resolve);
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let result: unknown;
    const sending = sendOf({ port: (slow.address() as AddressInfo).port }).then(
      failure => {
        result = failure;
      },
    );
    await greeted;
    await vi.advanceTimersByTimeAsync(39_900);
    expect(result).toBeUndefined();
    await vi.advanceTimersByTimeAsync(100);
    await sending;
    expect(result).toEqual({ reason: 'ATTEMPT_TIMEOUT', isFinal: false });
  } finally {
    vi.useRealTimers();
    clearInterval(drip);
  }
  await vi.waitFor(() => expect(isClosed).toBe(true));
  slow.close();
});

it('sends no credential to a server without TLS', async () => {
  const plain = new SMTPServer({
    hideSTARTTLS: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (_login, _session, done) => done(null, { user: 'leaked' }),
    onData(stream, _session, done) {
      stream.resume();
      stream.on('end', () => done());
    },
  });
  const onAuth = vi.spyOn(plain, 'onAuth');
  await new Promise<void>(resolve => {
    plain.listen(0, 'localhost', resolve);
  });
  const at = plain.server.address() as AddressInfo;
  const failure = await sendOf({ port: at.port });
  expect(failure?.isFinal).toBe(false);
  expect(onAuth).not.toHaveBeenCalled();
  await new Promise<void>(resolve => {
    plain.close(() => resolve());
  });
});

it('refuses configurations that send in clear text, and job files with other addresses', async () => {
  const open = (mail: object, isProduction = false) =>
    startBuildServer({ config: { mail }, isProduction, jobs: [] });
  const { host, from } = options();
  await expect(
    open({ host: 'smtp.test', from, security: 'none' }, true),
  ).rejects.toThrow(/security: none/);
  await expect(open({ host, from, user: 'builds' })).rejects.toThrow(
    /user and password/,
  );
  await expect(open({ host, from: 'Builds <a@b.test>' })).rejects.toThrow(
    /mail/,
  );
  const server2 = await startBuildServer({
    jobs: [
      {
        name: 'bad',
        mail: { to: ['Ada <ada@example.org>'] },
        steps: [{ name: 'Run', run: 'true' }],
      },
    ],
  });
  const { text: faults } = await new BuildClient(server2.url).get(
    '/job/bad/api/json',
  );
  expect(faults).toContain('must be an address, e.g. team@example.org');
  await server2.stop();
});
