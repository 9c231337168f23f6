import ReactMarkdown from 'react-markdown';
import gfm from 'remark-gfm';
import styles from './IssueText.module.css';

/** Addresses that a link may lead to. */
const SAFE = /^(?:https?|mailto):/i;

/** No image is loaded: its address would learn who reads the issue. */
const NO_IMAGES = ['img'];

/**
 * The Markdown of an issue. Its words are a stranger's: HTML is left out, and only links to
 * web pages and mail addresses are links.
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
