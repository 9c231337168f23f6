import { createHash } from 'node:crypto';
import { ServerResponse } from 'node:http';

/** Why a port does not respond. */
export type PortFault =
  /** The port is not an endpoint of the devfile. */
  | 'undeclared'
  /** The workspace is not running. */
  | 'stopped'
  /** Nothing listens on it. */
  | 'closed'
  /** The process that listens on it did not answer. */
  | 'silent';

/** The text of a page about a fault: what is wrong, and what to do. */
interface FaultText {
  title(port: number): string;
  advice: string;
}

/** The texts of the faults that have no page in the portal. */
const TEXTS: Record<Exclude<PortFault, 'stopped'>, FaultText> = {
  undeclared: {
    title: port =>
      `Port ${port} is not an endpoint of this workspace's devfile`,
    advice:
      'Add it to the endpoints of a container in the devfile. Then stop the workspace and start it with its latest devfile.',
  },
  closed: {
    title: port => `No process of this workspace is listening on port ${port}`,
    advice:
      'Start the application in a terminal of the workspace. This page opens it as soon as it listens.',
  },
  silent: {
    title: port => `The process on port ${port} did not respond`,
    advice: 'It may still be starting. Reload this page to try again.',
  },
};

/** Describes a fault in one line, for programs. */
export function describeFault(fault: keyof typeof TEXTS, port: number): string {
  return TEXTS[fault].title(port);
}

/** Waits in the browser until something listens. Requests to a closed port do not count as use. */
const WAIT_SCRIPT = `
(async () => {
  for (;;) {
    await new Promise(resolve => setTimeout(resolve, 2000));
    const { status } = await fetch(location.href, { method: 'HEAD', redirect: 'manual' })
      .catch(() => ({ status: 502 }));
    if (status !== 502) {
      location.reload();
      return;
    }
  }
})();
`;

const POLICY = [
  "default-src 'none'",
  "connect-src 'self'",
  `script-src 'sha256-${createHash('sha256').update(WAIT_SCRIPT).digest('base64')}'`,
  "style-src 'unsafe-inline'",
].join('; ');

const STYLE = `
:root { color-scheme: light dark; }
body {
  margin: 0;
  padding: 64px 24px;
  background: light-dark(#f6f7f9, #0d131a);
  color: light-dark(#17202b, #e9eef3);
  font: 14px/1.5 Inter, system-ui, sans-serif;
}
main { max-width: 560px; margin: auto; }
h1 { margin: 0; font-size: 20px; font-weight: 600; overflow-wrap: anywhere; }
a { color: light-dark(#0a6583, #5ac3e2); }
`;

/**
 * Answers a page visit to a port that does not respond, with a page that says what to do.
 *
 * @param options.workspaceUrl - the workspace's page in the portal.
 */
export function showPortFault(
  res: ServerResponse,
  options: { fault: keyof typeof TEXTS; port: number; workspaceUrl: URL },
): void {
  const { fault, port, workspaceUrl } = options;
  const { advice, title } = TEXTS[fault];
  const frameRule = res.getHeader('content-security-policy');
  res.statusCode = 502;
  res.setHeader('Content-Type', 'text/html; charset=utf-8');
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader(
    'Content-Security-Policy',
    [frameRule, POLICY].filter(Boolean).join('; '),
  );
  // A serialized URL contains no quotes, and the texts no markup.
  res.end(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title(port)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title(port)}</h1>
<p>${advice}</p>
<p><a href="${workspaceUrl.href}" target="_blank" rel="noopener">View workspace</a></p>
</main>
${fault === 'closed' ? `<script>${WAIT_SCRIPT}</script>` : ''}
</body>
</html>
`);
}
