import { useContext } from 'react';
import { stringifyEntityRef } from '@backstage/catalog-model';
import {
  BreadcrumbEntry,
  type PageLayoutProps,
  useBreadcrumbEntries,
} from '@backstage/frontend-plugin-api';
import { useEntityPresentation } from '@backstage/plugin-catalog-react';
import { PluginHeader, type PluginHeaderProps } from '@backstage/ui';
import { Page, PageHeader } from '@slipway/design-system';
import { useLocation, useParams, useResolvedPath } from 'react-router-dom';
import { PageEntity } from '../../entities/PageEntity';

/**
 * Frames pages without their own frame, i.e. pages of stock and third-party plugins. A page with
 * tabs gets the same header as ours; a page without tabs usually has its own header, and gets a
 * line that shows where it belongs.
 */
export function PageLayout(props: PageLayoutProps) {
  const { title, icon, noHeader, titleLink, headerActions, children } = props;
  const root = useResolvedPath('.').pathname.replace(/\/$/, '');
  const { items: breadcrumbs } = useBreadcrumbEntries();
  const { kind, namespace, name } = useParams();
  if (noHeader || !title) {
    return <>{children}</>;
  }
  const isEntity = Boolean(kind && namespace && name);
  // The page of an entity is three segments below the list that it belongs to.
  const above = isEntity ? root.split('/').slice(0, -3).join('/') : root;
  const place = { label: title, href: titleLink ?? (above || '/') };
  let header = (
    <PluginHeader
      title={title}
      icon={icon}
      titleLink={titleLink}
      breadcrumbs={breadcrumbs}
      customActions={headerActions}
    />
  );
  if (kind && namespace && name) {
    header = (
      <EntityPageHeader
        entityRef={stringifyEntityRef({ kind, namespace, name })}
        icon={icon}
        // A page nested in one of the same plugin already has this place among its breadcrumbs.
        breadcrumbs={[
          ...breadcrumbs.filter(({ label }) => label !== place.label),
          place,
        ]}
        customActions={headerActions}
      />
    );
  }
  return (
    <BreadcrumbEntry entry={place}>
      {props.tabs?.length ? (
        <TabbedPage {...props} root={root} title={title} />
      ) : (
        <>
          {header}
          {children}
        </>
      )}
    </BreadcrumbEntry>
  );
}

/** A header with the page's entity as its `h1`, below the way back. */
function EntityPageHeader(props: PluginHeaderProps & { entityRef: string }) {
  const { entityRef, ...header } = props;
  const entity = useContext(PageEntity);
  // Uses the entity that the page has already loaded, so that its title appears even if the request
  // for titles fails.
  const isOfPage = entity && stringifyEntityRef(entity) === entityRef;
  const { primaryTitle } = useEntityPresentation(isOfPage ? entity : entityRef);
  return <PluginHeader {...header} title={primaryTitle} />;
}

function TabbedPage(props: PageLayoutProps & { root: string; title: string }) {
  const { title, headerActions, tabs = [], root, children } = props;
  const { pathname } = useLocation();
  const links = tabs.map(({ id, label, href }) => ({
    id,
    label,
    href: href.startsWith('/') ? href : `${root}/${href}`,
  }));
  const [active] = links
    .filter(({ href }) => `${pathname}/`.startsWith(`${href}/`))
    .sort((one, other) => other.href.length - one.href.length);
  return (
    <Page
      header={
        <PageHeader
          title={title}
          action={headerActions}
          // A single tab would link nowhere else.
          tabs={links.length > 1 ? links : []}
          activeTab={active?.id}
        />
      }
    >
      {children}
    </Page>
  );
}
