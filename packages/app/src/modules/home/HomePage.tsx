import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { HomePageLayoutProps } from '@backstage/plugin-home-react/alpha';
import { Page, PageHeader } from '@slipway/design-system';
import { appTranslationRef } from '../../translation';
import './HomePage.css';

/** Half of the twelve columns, unless a card's layout says otherwise. */
const DEFAULT_COLUMNS = 6;

/** Cards of all plugins in a grid, in the order in which the app lists them. */
export function HomePage({ widgets }: HomePageLayoutProps) {
  const { t } = useTranslationRef(appTranslationRef);
  return (
    <Page
      header={
        <PageHeader
          title={t('home.title')}
          description={t('home.description')}
        />
      }
    >
      <div className="slw-Home">
        {widgets.map(widget => {
          const columns =
            widget.layout?.width?.defaultColumns ?? DEFAULT_COLUMNS;
          return (
            <div
              key={widget.node.spec.id}
              style={{ gridColumn: `span ${columns}` }}
            >
              {widget.component}
            </div>
          );
        })}
      </div>
    </Page>
  );
}
