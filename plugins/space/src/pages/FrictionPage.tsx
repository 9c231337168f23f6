import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Link } from '@backstage/ui';
import { Loaded, type LoadableQuery, QueryTable } from '@slipway/app-react';
import {
  type DataColumn,
  Details,
  EmptyState,
  formatPercent,
  ListAndPanel,
  LoadingRows,
  SidePanel,
  useUrlSort,
} from '@slipway/design-system';
import { useLocation, useNavigate, useParams } from 'react-router-dom';
import type { FrictionCategory, TopFriction } from '../api/SpaceApi';
import { WithheldNote } from '../components/Notes';
import { SpaceFilterBar, useView } from '../components/SpaceFilterBar';
import { formatMinutes } from '../format/fieldValue';
import { categoryName } from '../friction/FrictionLines';
import { LogFrictionDialog } from '../friction/LogFrictionDialog';
import { useTopFriction } from '../queries';
import { useLinks } from '../routes';
import { type Translate, spaceTranslationRef } from '../translation';
import styles from './FrictionPage.module.css';

/** Lists the friction of a team, with a panel for one category. */
export function FrictionPage() {
  const { t } = useTranslationRef(spaceTranslationRef);
  const { '*': category } = useParams();
  const navigate = useNavigate();
  const links = useLinks();
  const view = useView();
  const [isLogging, setIsLogging] = useState(false);
  const query = useTopFriction(view.query);
  const { data } = query;
  // The filters, order and columns, which are kept when a row is opened or closed.
  const { search } = useLocation();
  const shown = data?.items.length ?? 0;
  return (
    <>
      <SpaceFilterBar
        view={view}
        count={
          data && {
            shown,
            total: shown,
            noun: [t('friction.nounOne'), t('friction.nounMany')],
          }
        }
      />
      <ListAndPanel
        panel={
          category &&
          // If the query failed, only the list shows the error.
          (data || !query.error) && (
            <FrictionPanel
              category={category}
              query={query}
              onClose={() => navigate(links.friction() + search)}
            />
          )
        }
      >
        <QueryTable
          label={t('friction.label')}
          query={query}
          rowsOf={({ items }) => items}
          failed={t('friction.failed')}
          rowId={item => item.category}
          selectedId={category}
          columns={columnsOf(
            t,
            data?.items ?? [],
            name => links.category(name) + search,
          )}
          sort={useUrlSort(['category', 'time', 'reporters', 'entries'])}
          exportAs="friction"
          loading={t('friction.loading')}
          empty={
            <EmptyState
              title={t(
                (data?.minimumGroupSize ?? 1) > 1
                  ? 'friction.withheldTitle'
                  : 'friction.emptyTitle',
              )}
              description={t('friction.emptyDescription')}
              action={
                <Button variant="secondary" onPress={() => setIsLogging(true)}>
                  {t('friction.logFirst')}
                </Button>
              }
            />
          }
        />
        {data && <WithheldNote top={data} />}
      </ListAndPanel>
      {isLogging && <LogFrictionDialog onClose={() => setIsLogging(false)} />}
    </>
  );
}

/** The columns of the list of friction categories, which the service sorts by cost. */
function columnsOf(
  t: Translate,
  items: readonly FrictionCategory[],
  hrefOf: (category: string) => string,
): DataColumn<FrictionCategory>[] {
  const total = items.reduce((sum, item) => sum + item.minutesLost, 0);
  const shareOf = ({ minutesLost }: FrictionCategory) =>
    total === 0 ? 0 : (minutesLost / total) * 100;
  return [
    {
      id: 'category',
      label: t('friction.category'),
      text: ({ category }) => categoryName(t, category),
      sortBy: ({ category }) => categoryName(t, category),
      cell: ({ category }) => (
        <Link href={hrefOf(category)}>{categoryName(t, category)}</Link>
      ),
    },
    {
      id: 'time',
      label: t('friction.time'),
      isNumber: true,
      width: 112,
      // Sorts by minutes.
      sortBy: ({ minutesLost }) => minutesLost,
      cell: ({ minutesLost }) => <>{formatMinutes(minutesLost)}</>,
    },
    {
      id: 'share',
      label: t('friction.share'),
      from: 'sm',
      cell: item => (
        <span
          className={styles.share}
          style={{ width: `${shareOf(item)}%` }}
          role="img"
          aria-label={formatPercent(shareOf(item))}
        />
      ),
    },
    {
      id: 'reporters',
      label: t('friction.reporters'),
      isNumber: true,
      width: 88,
      sortBy: ({ reporters }) => reporters,
      cell: ({ reporters }) => reporters,
    },
    {
      id: 'entries',
      label: t('friction.entries'),
      isNumber: true,
      width: 88,
      from: 'sm',
      sortBy: ({ entries }) => entries,
      cell: ({ entries }) => entries,
    },
  ];
}

/** Shows one category of friction, with the texts of its entries. */
function FrictionPanel(props: {
  category: string;
  query: LoadableQuery<TopFriction>;
  onClose(): void;
}) {
  const { category, query, onClose } = props;
  const { t } = useTranslationRef(spaceTranslationRef);
  const name = categoryName(t, category);
  return (
    <SidePanel title={name} onClose={onClose}>
      <Loaded
        query={query}
        failed={t('friction.failed')}
        loading={<LoadingRows label={t('friction.loading')} rows={4} />}
      >
        {({ items, minimumGroupSize }) => {
          const item = items.find(known => known.category === category);
          return item ? (
            <FrictionFacts item={item} minimum={minimumGroupSize} />
          ) : (
            <EmptyState
              level={3}
              title={t('friction.unknownTitle', { category: name })}
              description={t('friction.unknownDescription')}
            />
          );
        }}
      </Loaded>
    </SidePanel>
  );
}

function FrictionFacts(props: { item: FrictionCategory; minimum: number }) {
  const { item, minimum } = props;
  const { t } = useTranslationRef(spaceTranslationRef);
  return (
    <div className={styles.panel}>
      <Details
        items={[
          {
            label: t('friction.time'),
            value: formatMinutes(item.minutesLost),
          },
          { label: t('friction.reporters'), value: item.reporters },
          { label: t('friction.entries'), value: item.entries },
        ]}
      />
      <h3>{t('friction.words')}</h3>
      <p className={styles.quiet}>
        {t('friction.wordsNote')}
        {minimum > 1 && ` ${t('friction.wordsShown', { count: minimum })}`}
      </p>
      <ul className={styles.texts}>
        {item.texts.map((text, index) => (
          // Uses the index as the key: entries have no id, so that they cannot be traced to a
          // person.
          <li key={index}>
            <blockquote>{text}</blockquote>
          </li>
        ))}
      </ul>
    </div>
  );
}
