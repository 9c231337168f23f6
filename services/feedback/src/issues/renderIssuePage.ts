import { createHash } from 'node:crypto';
import { isoOf } from '@slipway/entity-contract';
import MarkdownIt from 'markdown-it';
import type { IssueView } from './Issue.ts';

const STYLE = `
  :root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; }
  body { max-width: 720px; margin: 32px auto; padding: 0 16px; }
  h1 { font-size: 20px; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
`;

/**
 * HTML is displayed as text, and images are not loaded: their server would learn who reads the
 * issue.
 */
const markdown = new MarkdownIt({ html: false, linkify: true }).disable(
  'image',
);

markdown.validateLink = address => /^(?:https?|mailto):/i.test(address);

markdown.renderer.rules.link_open = (
  tokens,
  index,
  options,
  _env,
  renderer,
) => {
  tokens[index].attrSet('rel', 'noreferrer noopener');
  return renderer.renderToken(tokens, index, options);
};

/** The only style that the page may use. */
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Renders an issue and its Markdown as a page without scripts, for browsers outside the portal. */
export function renderIssuePage(
  issue: IssueView,
  options: { portalUrl: string },
): { html: string; contentSecurityPolicy: string } {
  const title = escape(issue.title);
  return {
    contentSecurityPolicy: `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'`,
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>#${issue.number} ${title}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>#${issue.number} ${title}</h1>
<p>${issue.state === 'open' ? 'Open' : 'Closed'} since <time>${isoOf(
      issue.closedAt ?? issue.createdAt,
    )}</time></p>
${
  issue.body === null
    ? '<p>Only the sender and admins can read this message.</p>'
    : markdown.render(issue.body)
}
<p><a href="${escape(options.portalUrl)}">Open in the portal</a></p>
</body>
</html>
`,
  };
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
