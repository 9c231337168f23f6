import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { HomePageLayoutProps } from '@backstage/plugin-home-react/alpha';
import { Page, PageHeader, Steady } from '@slipway/design-system';
import { appTranslationRef } from '../../translation';
import './HomePage.css';

/** Cards that span the width of the page, above the others. */
const WIDE = [
  'home-page-widget:home/getting-started',
  'home-page-widget:home/inbox',
  'home-page-widget:home/activity',
];

/** Height in pixels reserved for a card on the first visit: that of a few lines. */
const CARD_HEIGHT = 180;

/** Initial heights of cards that are usually taller, in wide windows and in narrow ones. */
const HEIGHTS: Readonly<Record<string, readonly [number, number]>> = {
  'home-page-widget:home/getting-started': [300, 430],
  'home-page-widget:home/inbox': [180, 300],
  'home-page-widget:home/activity': [360, 420],
  'home-page-widget:space/pulse': [440, 480],
};

function heightOf(id: string): number {
  const [wide, narrow] = HEIGHTS[id] ?? [CARD_HEIGHT, CARD_HEIGHT];
  // Narrow windows stack the cards.
  return window.innerWidth > 960 ? wide : narrow;
}

/** Number of columns in wide windows. */
const COLUMNS = 3;

/**
 * Distributes the cards of all plugins over the columns, in the order of the app. Each
 * card is as tall as its content, independent of its neighbours.
 */
export function HomePage({ widgets }: HomePageLayoutProps) {
  const { t } = useTranslationRef(appTranslationRef);
  const wide = WIDE.flatMap(
    id => widgets.find(({ node }) => node.spec.id === id) ?? [],
  );
  const others = widgets.filter(widget => !wide.includes(widget));
  const columns = Array.from({ length: COLUMNS }, (_, column) =>
    others.filter((__, index) => index % COLUMNS === column),
  );
  return (
    <Page
      header={
        <PageHeader
          title={t('home.title')}
          description={t('home.description')}
        />
      }
    >
      {wide.map(({ node, component }) => (
        <Steady
          className="slw-HomeInbox"
          key={node.spec.id}
          name={node.spec.id}
          height={heightOf(node.spec.id)}
        >
          {component}
        </Steady>
      ))}
      <div className="slw-Home">
        {columns.map((column, index) => (
          <div className="slw-HomeColumn" key={index}>
            {column.map(widget => (
              <Steady
                key={widget.node.spec.id}
                name={widget.node.spec.id}
                height={heightOf(widget.node.spec.id)}
              >
                {widget.component}
              </Steady>
            ))}
          </div>
        ))}
      </div>
    </Page>
  );
}
