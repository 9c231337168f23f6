// A fake editor: responds on the socket like code-server, and simulates what users do
// in terminals.
import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';

const socket = process.argv[process.argv.indexOf('--socket') + 1];
const readyAt = Date.now() + Number(process.env.FAKE_READY_AFTER_MS ?? 50);

const hoard = [];

const actions = {
  '/environment': () => process.env,
  '/arguments': () => process.argv.slice(2),
  '/pid': () => process.pid,
  '/exit': query => process.exit(Number(query.get('code'))),
  // A terminal has its own session.
  '/terminal': () =>
    spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' }).pid,
  '/shell': query =>
    spawnSync('sh', ['-c', query.get('script')], { encoding: 'utf8' }).stdout,
  '/fill': query => {
    hoard.push(Buffer.alloc(Number(query.get('mebibytes')) * 1024 ** 2, 1));
    return hoard.length;
  },
  '/listen': () =>
    new Promise(resolve => {
      const server = createServer((_, answer) => answer.end('hello')).listen(
        0,
        '127.0.0.1',
        () => resolve(server.address().port),
      );
    }),
};

console.log(`Listening on ${socket}`);
if (process.env.FAKE_FAILS) {
  console.log('No luck today');
  process.exit(3);
}

createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://editor');
  if (pathname === '/healthz') {
    response.statusCode = Date.now() < readyAt ? 404 : 200;
    response.end();
    return;
  }
  response.end(JSON.stringify(await actions[pathname](searchParams)));
}).listen(socket);
