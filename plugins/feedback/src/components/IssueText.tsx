import ReactMarkdown from 'react-markdown';
import { Prose } from '@slipway/design-system';
import gfm from 'remark-gfm';

/** Allowed schemes of links. */
const SAFE = /^(?:https?|mailto):/i;

/** Images are not loaded, because their server would learn who reads the issue. */
const NO_IMAGES = ['img'];

/**
 * Renders the Markdown of an issue. The text is untrusted: HTML is dropped, and only http(s) and
 * mailto addresses become links.
 */
export function IssueText({ children }: { children: string }) {
  return (
    <Prose>
      <ReactMarkdown
        remarkPlugins={[gfm]}
        skipHtml
        disallowedElements={NO_IMAGES}
        transformLinkUri={href => (SAFE.test(href) ? href : '')}
        components={{
          a: ({ href, children: content }) =>
            href ? (
              <a href={href} rel="noreferrer noopener" target="_blank">
                {content}
              </a>
            ) : (
              <>{content}</>
            ),
        }}
      >
        {children}
      </ReactMarkdown>
    </Prose>
  );
}
