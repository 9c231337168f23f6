import type { ComponentType, ReactElement } from 'react';
import {
  useAnalytics,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import type {
  IndexableDocument,
  ResultHighlight,
  SearchResult,
} from '@backstage/plugin-search-common';
import { useSearch } from '@backstage/plugin-search-react';
import { Link } from '@backstage/ui';
import { safeAddress, useErrorWords } from '@slipway/app-react';
import {
  Button,
  EmptyState,
  ErrorPanel,
  LoadingRows,
  Panel,
} from '@slipway/design-system';
import { searchPageTranslationRef } from './translation';
import styles from './SearchPage.module.css';

/** A plugin's renderer for some of the results. */
export interface ResultItem {
  predicate?: (result: SearchResult) => boolean;
  // Each has its own props in addition to those passed here.
  component: ComponentType<any>;
  icon?: ReactElement;
}

/** Props of {@link SearchResults}. */
interface SearchResultsProps {
  noTrack: boolean;
  items: readonly ResultItem[];
  onRetry(): void;
}

/** Lists the results, each rendered by the plugin it belongs to. */
export function SearchResults(props: SearchResultsProps) {
  const { t } = useTranslationRef(searchPageTranslationRef);
  const errorWords = useErrorWords();
  const { result, term, types, filters } = useSearch();
  const isAsked =
    term !== '' || types.length > 0 || Object.keys(filters).length > 0;
  if (!isAsked) {
    return <EmptyState title={t('startTitle')} description={t('startText')} />;
  }
  if (result.error) {
    return (
      <ErrorPanel
        title={t('failed')}
        message={errorWords(result.error)}
        onRetry={props.onRetry}
      />
    );
  }
  if (!result.value) {
    return <LoadingRows label={t('loading')} rows={8} />;
  }
  const { results, numberOfResults } = result.value;
  if (results.length === 0 && !result.loading) {
    return <EmptyState title={t('noneTitle')} description={t('noneText')} />;
  }
  return (
    <Panel
      title={t('results')}
      padded={false}
      action={
        <span role="status" className={styles.count}>
          {numberOfResults === undefined
            ? t('some', { count: results.length })
            : t('count', { count: numberOfResults })}
        </span>
      }
    >
      <ol className={styles.results} aria-busy={result.loading}>
        {results.map((found, index) => (
          <Result key={index} found={found} {...props} />
        ))}
      </ol>
      <Pages />
    </Panel>
  );
}

function Result(props: SearchResultsProps & { found: SearchResult }) {
  const { found, items, noTrack } = props;
  const { document, ...rest } = found;
  const item = items.find(({ predicate }) => predicate?.(found));
  if (!item) {
    return <DocumentItem {...rest} document={document} noTrack={noTrack} />;
  }
  const Item = item.component;
  return <Item {...rest} result={document} noTrack={noTrack} />;
}

/**
 * Renders a result without a plugin-specific component: title, type, and two lines of
 * text.
 */
function DocumentItem(props: {
  document: SearchResult['document'];
  highlight?: ResultHighlight;
  rank?: number;
  noTrack: boolean;
}) {
  const { document, highlight, rank, noTrack } = props;
  const analytics = useAnalytics();
  return (
    <li className={styles.result}>
      <div className={styles.resultHead}>
        <Link
          href={safeAddress(document.location) ?? '#'}
          onPress={() =>
            !noTrack &&
            analytics.captureEvent('discover', document.title, {
              attributes: { to: document.location },
              ...(rank !== undefined && { value: rank }),
            })
          }
        >
          <Marked text={document.title} field="title" highlight={highlight} />
        </Link>
        <span>{factsOf(document).join(' · ')}</span>
      </div>
      {document.text && (
        <p>
          <Marked text={document.text} field="text" highlight={highlight} />
        </p>
      )}
    </li>
  );
}

/** Returns the indexed facts about an entity; results of other types may lack all of them. */
function factsOf(document: SearchResult['document']): string[] {
  const { kind, type, lifecycle, owner } = document as IndexableDocument &
    Record<string, unknown>;
  return [
    kind,
    // The index uses this value for entities without a type.
    type === 'other' ? undefined : type,
    lifecycle,
    // The name within a reference.
    typeof owner === 'string' ? owner.replace(/^.*[:/]/, '') : undefined,
  ].filter((fact): fact is string => typeof fact === 'string' && fact !== '');
}

/** Renders a text with the searched words highlighted, if the engine reports them. */
function Marked(props: {
  text: string;
  field: string;
  highlight?: ResultHighlight;
}) {
  const { text, field, highlight } = props;
  const excerpt = highlight?.fields[field];
  if (!highlight || !excerpt) {
    return <>{text}</>;
  }
  const [start, ...parts] = excerpt.split(highlight.preTag);
  return (
    <>
      {start}
      {parts.map((part, index) => {
        const [found, ...after] = part.split(highlight.postTag);
        return (
          <span key={index}>
            <mark>{found}</mark>
            {after.join('')}
          </span>
        );
      })}
    </>
  );
}

function Pages() {
  const { t } = useTranslationRef(searchPageTranslationRef);
  const { fetchPreviousPage, fetchNextPage } = useSearch();
  if (!fetchPreviousPage && !fetchNextPage) {
    return null;
  }
  return (
    <nav className={styles.pages} aria-label={t('pages')}>
      <Button
        size="small"
        variant="secondary"
        isDisabled={!fetchPreviousPage}
        onPress={fetchPreviousPage}
      >
        {t('previous')}
      </Button>
      <Button
        size="small"
        variant="secondary"
        isDisabled={!fetchNextPage}
        onPress={fetchNextPage}
      >
        {t('next')}
      </Button>
    </nav>
  );
}
