import ReactMarkdown from 'react-markdown';
import gfm from 'remark-gfm';
import styles from './IssueText.module.css';

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
    <ReactMarkdown
      className={styles.text}
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
  );
}
