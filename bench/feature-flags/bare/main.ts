import { createServer, type IncomingMessage } from 'node:http';
import Database from 'better-sqlite3';

// The baseline for the service: plain `node:http` that sends the same head and body as the service,
// from memory, once it has received them with PUT /answers. POST /durable commits each report to
// disk before it responds, as the service does.

/** The responses to repeat, by path. */
const answers = new Map<
  string,
  { status: number; headers: Record<string, string>; body: Buffer | string }
>();
/** Maximum length of a body that is kept as a string: Node.js sends longer ones faster as bytes. */
const LONGEST_STRING = 4_096;
const database = new Database(process.env.FILENAME);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec('CREATE TABLE reports (body TEXT NOT NULL)');
const insert = database.prepare('INSERT INTO reports (body) VALUES (?)');

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const server = createServer(async (request, response) => {
  const answer = request.method === 'GET' && answers.get(request.url!);
  if (answer) {
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body);
    return;
  }
  switch (request.url) {
    case '/answers': {
      const { path, status, headers, body } = JSON.parse(
        (await read(request)).toString(),
      );
      answers.set(path, {
        status,
        headers,
        body: body.length > LONGEST_STRING ? Buffer.from(body) : body,
      });
      response.end();
      break;
    }
    case '/durable':
    case '/parsed': {
      const report: unknown = JSON.parse((await read(request)).toString());
      if (request.url === '/durable') {
        insert.run(JSON.stringify(report));
      }
      response.writeHead(202).end();
      break;
    }
    case '/memory':
      response.end(String(process.memoryUsage.rss()));
      break;
    default:
      response.end();
  }
});
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
server.listen(Number(process.env.PORT), '127.0.0.1');
