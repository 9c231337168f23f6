import { type ReactNode, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, SearchField } from '@backstage/ui';
import { matchesWords, useErrorWords } from '@slipway/app-react';
import {
  type DataColumn,
  DataTable,
  EmptyState,
  ErrorPanel,
  Panel,
  type SortOrder,
  sortRows,
} from '@slipway/design-system';
import type { Loaded } from '../../entities/useLoaded';
import type { EntityRow } from '../catalog/entityFacts';
import { entityTranslationRef } from './translation';
import styles from './RelatedEntities.module.css';

/** Rows before "Show all": a department may own hundreds of entities. */
const FIRST = 10;

/** Props of {@link RelationList}. */
interface RelationListProps {
  title: string;
  /** Shown to the right of the title. */
  action?: ReactNode;
  related: Loaded<readonly EntityRow[]>;
  /** How many entities are related, if it is known while they load. */
  expected?: number;
  columns: readonly DataColumn<EntityRow>[];
  /** Accessible name of the loading state. */
  loading: string;
  /** Title of the failure. */
  failed: string;
  /** Shown if nothing is related; `code` contains descriptor lines that would declare a relation. */
  empty: { title: string; text: string; code?: string };
}

/**
 * Lists the entities that an entity is related to, as a card of its page. Long lists start with ten
 * entities and can be searched by name, reference and description.
 */
export function RelationList(props: RelationListProps) {
  const { title, action, related, columns, loading, failed, empty } = props;
  const { expected } = props;
  const { t } = useTranslationRef(entityTranslationRef);
  const errorWords = useErrorWords();
  const [order, setOrder] = useState<SortOrder>();
  const [isWhole, setWhole] = useState(false);
  const [words, setWords] = useState('');
  const all = related.state === 'ready' ? related.value : undefined;
  const isLong = all !== undefined && all.length > FIRST;
  const matching = isLong
    ? all.filter(({ name, ref, description }) =>
        matchesWords(words, [name, ref, description]),
      )
    : all;
  const isSearched = isLong && words.trim() !== '';
  // Before the list is cut: its first ten are those of the chosen order.
  const sorted = matching && sortRows(matching, columns, order);
  return (
    <Panel title={title} padded={false} action={action}>
      {isLong && (
        <div className={styles.search}>
          <SearchField
            size="small"
            aria-label={t('relations.search', { title })}
            placeholder={t('relations.searchHint', {
              number: String(all.length),
            })}
            value={words}
            onChange={setWords}
          />
        </div>
      )}
      <DataTable
        isPlain
        label={title}
        columns={columns}
        rows={isWhole || isSearched ? sorted : sorted?.slice(0, FIRST)}
        rowId={row => row.ref}
        sort={{ order, setOrder }}
        loading={loading}
        expected={expected && Math.min(expected, FIRST)}
        failure={
          related.state === 'failed' && (
            <ErrorPanel
              title={failed}
              message={errorWords(related.error)}
              onRetry={related.retry}
            />
          )
        }
        empty={
          isSearched ? (
            <EmptyState
              level={3}
              title={t('relations.noMatch')}
              description={t('relations.noMatchText', { words })}
            />
          ) : (
            <EmptyState
              level={3}
              title={empty.title}
              description={empty.text}
              code={empty.code}
            />
          )
        }
      />
      {isLong && !isSearched && (
        <div className={styles.more}>
          <Button
            size="small"
            variant="tertiary"
            onPress={() => setWhole(!isWhole)}
          >
            {isWhole
              ? t('relations.fewer')
              : t('relations.all', { number: String(all.length) })}
          </Button>
        </div>
      )}
    </Panel>
  );
}
