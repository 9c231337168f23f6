import type { IncomingMessage, ServerResponse } from 'node:http';

/** Loads itself again until the portal is there, at the same address. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="2">
<title>Slipway</title>
<style>
  body { font: 16px/1.5 Inter, system-ui, sans-serif; max-width: 36rem; margin: 20vh auto 0; padding: 0 1.5rem; }
  h1 { font-size: 1.25rem; font-weight: 600; margin: 0 0 0.5rem; }
  p { margin: 0; }
</style>
</head>
<body>
<main role="status">
<h1>The portal is starting</h1>
<p>This page opens by itself once it is ready. If that takes longer than a minute, the output of <code>./slipway dev</code> says why.</p>
</main>
</body>
</html>
`;

/** The error in the format of the portal's own routes. */
const BODY = JSON.stringify({
  error: {
    name: 'ServiceUnavailableError',
    message: 'The portal is starting, try again in a few seconds',
  },
  response: { statusCode: 503 },
});

/** Answers 503: with a page where one is looked at, with an error body to programs. */
export function answerUnavailable(
  req: IncomingMessage,
  res: ServerResponse,
): void {
  const asPage = req.headers.accept?.includes('text/html');
  res
    .writeHead(503, {
      'content-type': asPage ? 'text/html; charset=utf-8' : 'application/json',
      'cache-control': 'no-store',
      'retry-after': '2',
    })
    .end(asPage ? PAGE : BODY);
}
