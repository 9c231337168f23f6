import { RequestHandler } from 'express';

/**
 * Ends the chain of a path whose methods are all declared before it: 405 with
 * `Allow`. Mount it by `router.all(path, methodNotAllowed('GET', 'POST'))`.
 */
export function methodNotAllowed(...allowed: string[]): RequestHandler {
  const allow = allowed.join(', ');
  return (req, res) => {
    res
      .status(405)
      .set('Allow', allow)
      .json({ error: `${req.method} is not allowed here; use ${allow}` });
  };
}
