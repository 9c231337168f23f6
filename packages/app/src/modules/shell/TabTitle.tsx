import { useEffect } from 'react';
import { configApiRef, useApi } from '@backstage/frontend-plugin-api';
import { Helmet } from 'react-helmet';
import { useLocation } from 'react-router-dom';

/**
 * Sets the title of the browser tab to that of the navigation entry while the page sets
 * none: a page removes its title when it unmounts, and not every stock page sets one.
 */
export function TabTitle(props: {
  places: readonly { href: string; title: string }[];
}) {
  const { pathname } = useLocation();
  useEffect(() => {
    // The stock notifications item observes the title element that exists when it
    // starts, and restores titles of earlier pages when two pages follow each other
    // quickly.
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
      // Pages that suspended while rendering leave their titles behind in Helmet. The
      // one mounted last wins: a new one for each place, before those of its page.
      key={place && `${place.href} ${place.href === pathname}`}
      // Without a place, Helmet takes the title of the page; an undefined one would hide it.
      {...(place && { title: place.title })}
      titleTemplate={`%s | ${appTitle}`}
      defaultTitle={appTitle}
    />
  );
}
