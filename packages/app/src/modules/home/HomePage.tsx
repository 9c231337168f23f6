import { Fragment } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { HomePageLayoutProps } from '@backstage/plugin-home-react/alpha';
import { Page, PageHeader } from '@slipway/design-system';
import { appTranslationRef } from '../../translation';
import './HomePage.css';

/** The card that has the width of the page, above the others. */
const INBOX = 'home-page-widget:home/inbox';

/** The number of cards beside each other, where there is room. */
const COLUMNS = 3;

/**
 * Cards of all plugins, dealt out to the columns in the order in which the app
 * lists them. Each card is as high as its content, whatever stands beside it.
 */
export function HomePage({ widgets }: HomePageLayoutProps) {
  const { t } = useTranslationRef(appTranslationRef);
  const inbox = widgets.find(({ node }) => node.spec.id === INBOX);
  const others = widgets.filter(widget => widget !== inbox);
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
      {inbox && <div className="slw-HomeInbox">{inbox.component}</div>}
      <div className="slw-Home">
        {columns.map((column, index) => (
          <div className="slw-HomeColumn" key={index}>
            {column.map(widget => (
              <Fragment key={widget.node.spec.id}>{widget.component}</Fragment>
            ))}
          </div>
        ))}
      </div>
    </Page>
  );
}
