import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/**
 * Serves the repositories in a folder over HTTP, like git itself.
 *
 * @param options.authorization - required header; other requests get 401.
 * @param options.objects - contents of files in Git LFS, by their ids.
 */
export async function serveGit(
  folder: string,
  options: {
    authorization?: string;
    objects?: ReadonlyMap<string, string>;
  } = {},
): Promise<{ url: string; asked: string[]; stop(): void }> {
  const { authorization, objects } = options;
  /** Paths of the requests. */
  const asked: string[] = [];
  const server = createServer((request, response) => {
    if (authorization && request.headers.authorization !== authorization) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' });
      response.end();
      return;
    }
    const { pathname, searchParams } = new URL(request.url!, 'http://git');
    asked.push(pathname);
    if (objects && pathname.includes('/info/lfs/')) {
      void answerLfs(objects, request, response);
      return;
    }
    const child = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env.PATH,
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: pathname,
        QUERY_STRING: searchParams.toString(),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      },
    });
    request.pipe(child.stdin);
    const parts: Buffer[] = [];
    child.stdout.on('data', part => parts.push(part));
    child.once('close', () => {
      const answer = Buffer.concat(parts);
      const end = answer.indexOf('\r\n\r\n');
      for (const line of answer.subarray(0, end).toString().split('\r\n')) {
        const [name, value] = line.split(': ');
        if (name === 'Status') {
          response.statusCode = Number(value.slice(0, 3));
        } else {
          response.setHeader(name, value);
        }
      }
      response.end(answer.subarray(end + 4));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Serves the batch API of Git LFS and the files themselves.
 * https://github.com/git-lfs/git-lfs/blob/main/docs/api/batch.md
 */
async function answerLfs(
  objects: ReadonlyMap<string, string>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, origin } = new URL(
    request.url!,
    `http://${request.headers.host}`,
  );
  const content = objects.get(pathname.split('/').at(-1)!);
  if (content !== undefined) {
    response.end(content);
    return;
  }
  const asked = (await json(request)) as { objects: { oid: string }[] };
  response.setHeader('content-type', 'application/vnd.git-lfs+json');
  response.end(
    JSON.stringify({
      transfer: 'basic',
      objects: asked.objects.map(object => ({
        ...object,
        authenticated: true,
        actions: {
          download: {
            href: `${origin}${pathname}/${object.oid}`,
            header: { Authorization: request.headers.authorization ?? '' },
          },
        },
      })),
    }),
  );
}
