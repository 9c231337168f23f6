import type { JSX } from 'react';
import { HomePageWidgetBlueprint } from '@backstage/plugin-home-react/alpha';

const BareCard = ({ Content }: { Content: () => JSX.Element }) => <Content />;

/**
 * Creates the extension of a card on the home page that is a complete panel; the stock frame would
 * nest it in another.
 */
export function bareWidget(options: {
  /** The name of the extension: `home-page-widget:home/inbox`. */
  name: string;
  /** Loads the card when the page is opened. */
  load(): Promise<() => JSX.Element>;
}) {
  const { name, load } = options;
  return HomePageWidgetBlueprint.make({
    name,
    params: {
      name,
      components: async () => ({
        Content: await load(),
        Renderer: BareCard,
      }),
    },
  });
}
