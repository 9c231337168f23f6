import { createServer, type IncomingMessage } from 'node:http';
import Database from 'better-sqlite3';

// The baseline for the service: plain `node:http` that responds from memory. POST /durable commits
// each report to disk before it responds, as the service does.

let answer: Buffer = Buffer.alloc(0);
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
  switch (request.url) {
    case '/answer':
      answer = await read(request);
      response.end();
      break;
    case '/unchanged':
      response.writeHead(304).end();
      break;
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
      response.writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': answer.length,
      });
      response.end(answer);
  }
});
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
server.listen(Number(process.env.PORT), '127.0.0.1');
