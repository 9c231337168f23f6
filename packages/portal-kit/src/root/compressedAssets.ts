import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { RequestHandler } from 'express';

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/**
 * Rewrites requests for the app's scripts and style sheets to the Brotli copies of its build, if the
 * browser accepts them. Other files are passed on and compressed on the fly.
 *
 * @param staticDirectory - absolute path of the built app's `static`, which need not exist.
 */
export function compressedAssets(staticDirectory: string): RequestHandler {
  const compressed = new Set(
    existsSync(staticDirectory)
      ? readdirSync(staticDirectory).filter(name => name.endsWith('.br'))
      : [],
  );
  return (req, res, next) => {
    const [, name] = /^\/static\/([\w.-]+)$/.exec(req.path) ?? [];
    const type = name && TYPES[path.extname(name)];
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (type && isRead && compressed.has(`${name}.br`)) {
      res.vary('Accept-Encoding');
      if (req.acceptsEncodings('br')) {
        res.set({ 'Content-Encoding': 'br', 'Content-Type': type });
        req.url = `/static/${name}.br`;
      }
    }
    next();
  };
}
