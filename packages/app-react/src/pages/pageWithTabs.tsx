import type { ComponentType, ReactNode } from 'react';
import {
  type IconElement,
  NotFoundErrorPage,
  PageBlueprint,
  type RouteRef,
  coreExtensionData,
  createExtensionInput,
  useRouteRef,
} from '@backstage/frontend-plugin-api';
import type { PageHeaderProps } from '@slipway/design-system';
import { Outlet, Route, Routes, useLocation } from 'react-router-dom';

/** Props of a page's frame: the props for its header, and the open tab. */
export interface PageFrameProps {
  title: string;
  /** The installed tabs in order; the id is the name of the sub-page. */
  tabs: NonNullable<PageHeaderProps['tabs']>;
  activeTab: string | undefined;
  /** The content of the open tab. */
  children: ReactNode;
}

interface SubPage {
  id: string;
  /** Relative to the page; only detail pages have path parameters. */
  path: string;
  label: string;
  element: JSX.Element;
}

/**
 * Attachment point of a `SubPageBlueprint` that is not a tab: a detail page, which has a path with
 * parameters and its own header.
 */
export const detailPage = {
  relative: { kind: 'page' },
  input: 'details',
} as const;

/**
 * Creates the page of a plugin. Its tabs are the plugin's `SubPageBlueprint`s: each is loaded when
 * it is opened, and an app can move, rename or remove it by configuration. The first tab has the
 * address of the page itself.
 *
 * @param params.frame - loads the component that renders the header around the open tab.
 */
export function pageWithTabs(params: {
  path: string;
  title: string;
  icon: IconElement;
  routeRef: RouteRef<undefined>;
  frame(): Promise<ComponentType<PageFrameProps>>;
}) {
  const { frame, ...page } = params;
  return PageBlueprint.makeWithOverrides({
    inputs: {
      details: createExtensionInput([
        coreExtensionData.routePath,
        coreExtensionData.title,
        coreExtensionData.reactElement,
        coreExtensionData.routeRef.optional(),
      ]),
    },
    factory: (original, { config, inputs }) => {
      const tabs = inputs.pages.map(input => ({
        id: input.node.spec.id.split('/')[1],
        path: input.get(coreExtensionData.routePath),
        label: input.get(coreExtensionData.title) ?? '',
        element: input.get(coreExtensionData.reactElement),
      }));
      const details = inputs.details.map(input => ({
        path: input.get(coreExtensionData.routePath),
        element: input.get(coreExtensionData.reactElement),
      }));
      return original({
        ...page,
        noHeader: true,
        loader: async () => (
          <TabbedPage
            Frame={await frame()}
            title={config.title ?? page.title}
            routeRef={page.routeRef}
            tabs={tabs}
            details={details}
          />
        ),
      });
    },
  });
}

function TabbedPage(props: {
  Frame: ComponentType<PageFrameProps>;
  title: string;
  routeRef: RouteRef<undefined>;
  tabs: readonly SubPage[];
  details: readonly Pick<SubPage, 'path' | 'element'>[];
}) {
  const { Frame, title, routeRef, tabs, details } = props;
  const root = useRouteRef(routeRef)?.() ?? '';
  const { pathname } = useLocation();
  const [first, ...others] = tabs;
  const isAt = (href: string) => `${pathname}/`.startsWith(`${href}/`);
  const frame = (
    <Frame
      title={title}
      // A single tab would lead nowhere.
      tabs={(others.length > 0 ? tabs : []).map(tab => ({
        id: tab.id,
        label: tab.label,
        href: tab === first ? root : `${root}/${tab.path}`,
      }))}
      activeTab={
        (others.find(({ path }) => isAt(`${root}/${path}`)) ?? first)?.id
      }
    >
      <Outlet />
    </Frame>
  );
  return (
    <Routes>
      <Route element={frame}>
        <Route index element={first?.element} />
        {tabs
          .filter(({ path }) => path !== '')
          .map(({ id, path, element }) => (
            <Route key={id} path={`${path}/*`} element={element} />
          ))}
      </Route>
      {details.map(({ path, element }) => (
        <Route key={path} path={path} element={element} />
      ))}
      <Route path="*" element={<NotFoundErrorPage />} />
    </Routes>
  );
}
