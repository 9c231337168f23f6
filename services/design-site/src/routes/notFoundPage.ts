import { SITE_NAME } from '../name/siteName.ts';
import type { ComponentRoutes } from './componentRoutes.ts';

/** The answer to an address that no component has; names those that have one. */
export function notFoundPage(components: readonly ComponentRoutes[]): string {
  const links = components
    .map(({ slug, title }) => `<li><a href="/docs/${slug}">${title}</a></li>`)
    .join('');
  return page(
    'Component not found',
    `<h1>No such component</h1><p>These are here:</p><ul>${links}</ul>`,
  );
}

/** A page that leads on to another, also where scripts are off. */
export function redirectPage(title: string, target: string): string {
  const href = target.replaceAll('&', '&amp;');
  return page(
    title,
    `<p><a href="${href}">${title}</a></p>`,
    `<meta http-equiv="refresh" content="0; url=${href}">`,
  );
}

function page(title: string, body: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">${head}<title>${title} · ${SITE_NAME}</title></head>
<body style="font: 14px/1.5 system-ui; margin: 48px auto; max-width: 40rem; padding: 0 16px">${body}</body>
</html>
`;
}
