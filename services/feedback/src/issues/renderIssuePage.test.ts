import { renderIssuePage } from './renderIssuePage.ts';

function pageOf(body: string): string {
  return renderIssuePage(
    {
      number: 7,
      title: 'The build fails',
      body,
      state: 'open',
      createdAt: 0,
      closedAt: null,
      closedBy: null,
      feedbackId: null,
    },
    { portalUrl: 'https://slipway.example/feedback/issues/7' },
  ).html;
}

it('renders fences as code and addresses as links', () => {
  const html = pageOf(
    '```text\nfails <b>here</b>\n```\n\n- Feedback: https://slipway.example/1',
  );
  expect(html).not.toContain('```');
  expect(html).toContain('fails &lt;b&gt;here&lt;/b&gt;');
  expect(html).toContain(
    '<a href="https://slipway.example/1" rel="noreferrer noopener">https://slipway.example/1</a>',
  );
});

it.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt&colon;alert(1))',
  '[x](&#x6A;avascript:alert(1))',
  '[x](java\tscript:alert(1))',
  '<javascript:alert(1)>',
  '[x](vbscript:x)',
  '[x](data:text/html,x)',
  '[x](//evil.example)',
  '[x]: javascript:alert(1)\n\n[x]',
])('runs and loads nothing from a message: %s', body => {
  const html = pageOf(body);
  const [, content] = html.split('</time></p>');
  expect(content.match(/<(?!\/?p>)[^>]*>/g)).toEqual([
    '<a href="https://slipway.example/feedback/issues/7">',
    '</a>',
    '</body>',
    '</html>',
  ]);
});

it('replaces images by links', () => {
  const html = pageOf('![x](https://evil.example/1.png)');
  expect(html).not.toContain('<img');
  expect(html).toContain('<a href="https://evil.example/1.png" rel="noref');
});
