import { CSSProperties } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { HomePageLayoutProps } from '@backstage/plugin-home-react/alpha';
import { Page, PageHeader } from '@slipway/design-system';
import { appTranslationRef } from '../../translation';
import './HomePage.css';

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
        {widgets.map(widget => (
          <div
            key={widget.node.spec.id}
            style={columnsOf(widget.layout?.width?.defaultColumns)}
          >
            {widget.component}
          </div>
        ))}
      </div>
    </Page>
  );
}

/** A card's own wish, in twelfths of the page; without one the style sheet decides. */
function columnsOf(columns: number | undefined): CSSProperties | undefined {
  return columns ? { gridColumn: `span ${columns}` } : undefined;
}
