import { useEffect } from 'react';
import { configApiRef, useApi } from '@backstage/frontend-plugin-api';
import { Helmet } from 'react-helmet';
import { useLocation } from 'react-router-dom';

/**
 * Names the browser's tab after the place in the navigation, for as long as no page names
 * it: a page that leaves takes its title with it, and not every stock page brings one.
 */
export function TabTitle(props: {
  places: readonly { href: string; title: string }[];
}) {
  const { pathname } = useLocation();
  useEffect(() => {
    // The stock notifications item watches the element that it finds at its start, and
    // writes titles of earlier pages back as soon as two pages follow each other quickly.
    const element = document.querySelector('title');
    element?.replaceWith(element.cloneNode(true));
  }, []);
  const appTitle =
    useApi(configApiRef).getOptionalString('app.title') ?? 'Slipway';
  const [place] = props.places
    .filter(({ href }) =>
      href === '/' ? pathname === '/' : `${pathname}/`.startsWith(`${href}/`),
    )
    .sort((one, other) => other.href.length - one.href.length);
  return (
    <Helmet
      // Pages that suspended while they were drawn leave titles behind in Helmet. The one
      // that is mounted last wins: a new one at each place, before those of its page.
      key={place && `${place.href} ${place.href === pathname}`}
      title={place?.title ?? appTitle}
      titleTemplate={place ? `%s | ${appTitle}` : '%s'}
      defaultTitle={appTitle}
    />
  );
}
