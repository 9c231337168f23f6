import { ReactNode, useContext, useMemo, useState } from 'react';
import { Link } from '@backstage/ui';
import { Helmet } from 'react-helmet';
import { messages } from '../../messages';
import { OpenPanelContext, tabTitle } from './tabTitle';
import './Page.css';

/** Props of {@link Page}. */
export interface PageProps {
  /** A PageHeader. */
  header: ReactNode;
  children: ReactNode;
}

/** The frame of a page: its header, and below it the content in a column with even gaps. */
export function Page({ header, children }: PageProps) {
  const [title, setTitle] = useState<string>();
  const openPanel = useMemo(() => ({ title, setTitle }), [title]);
  return (
    <OpenPanelContext.Provider value={openPanel}>
      <main className="slw-Page">
        {header}
        <div className="slw-PageBody">{children}</div>
      </main>
    </OpenPanelContext.Provider>
  );
}

/** A parent of the page, or one of its sub-pages. */
export interface PageLink {
  label: string;
  /** Path within the app. */
  href: string;
}

/** Props of {@link PageHeader}. */
export interface PageHeaderProps {
  title: string;
  /** The purpose of the page, in one sentence. */
  description?: ReactNode;
  /** The single main action; others belong in a menu next to it. */
  action?: ReactNode;
  /** Links to parent pages from the outermost inwards, without the page itself. */
  breadcrumbs?: readonly PageLink[];
  /** A StatusBadge next to the title. */
  status?: ReactNode;
  /** Only real sub-pages. */
  tabs?: readonly (PageLink & { id: string })[];
  activeTab?: string;
  /** Keeps room for description, status and action, which come with the page's data. */
  isLoading?: boolean;
}

/**
 * Title, purpose and main action of a page. Contains the page's only `h1`, and sets the title of
 * the browser tab.
 */
export function PageHeader(props: PageHeaderProps) {
  const { title, activeTab, isLoading = false } = props;
  const {
    description = isLoading && '\u00a0',
    status = isLoading && <span className="slw-PageHeaderStatusRoom" />,
    action = isLoading && <span className="slw-PageHeaderActionRoom" />,
  } = props;
  const { breadcrumbs = [], tabs = [] } = props;
  const { title: panel } = useContext(OpenPanelContext);
  const browserTitle = tabTitle({ title, tabs, activeTab, panel });
  return (
    <header className="slw-PageHeader" data-tabs={tabs.length > 0}>
      <Helmet key={browserTitle} title={browserTitle} />
      {breadcrumbs.length > 0 && (
        <nav aria-label={messages.breadcrumbs}>
          <ol className="slw-PageHeaderBreadcrumbs">
            {breadcrumbs.map(crumb => (
              <li key={crumb.href}>
                <Link href={crumb.href} variant="body-small" color="secondary">
                  {crumb.label}
                </Link>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <div className="slw-PageHeaderRow">
        <div className="slw-PageHeaderText">
          <div className="slw-PageHeaderTitle">
            <h1>{title}</h1>
            {status}
          </div>
          {description && (
            <p className="slw-PageHeaderDescription">{description}</p>
          )}
        </div>
        {action && <div className="slw-PageHeaderAction">{action}</div>}
      </div>
      {tabs.length > 0 && (
        <nav aria-label={messages.tabs}>
          <ul className="slw-PageHeaderTabs">
            {tabs.map(tab => (
              <li key={tab.id}>
                <Link
                  href={tab.href}
                  standalone
                  color={tab.id === activeTab ? 'primary' : 'secondary'}
                  aria-current={tab.id === activeTab ? 'page' : undefined}
                >
                  {tab.label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </header>
  );
}
