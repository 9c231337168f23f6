import { useEffect, useState } from 'react';
import {
  createFrontendModule,
  createFrontendPlugin,
  PluginHeaderActionBlueprint,
  SubPageBlueprint,
} from '@backstage/frontend-plugin-api';
import { useEntity, useEntityList } from '@backstage/plugin-catalog-react';
import {
  CatalogFilterBlueprint,
  EntityCardBlueprint,
  EntityContentBlueprint,
  EntityContentLayoutBlueprint,
  EntityContextMenuItemBlueprint,
  EntityIconLinkBlueprint,
} from '@backstage/plugin-catalog-react/alpha';
import { SearchResultListItemBlueprint } from '@backstage/plugin-search-react/alpha';
import { EntityPartBlueprint } from '@slipway/app-react';

/** Recorded calls of the plugin's menu item and header action. */
export const weatherActions: string[] = [];

function Card() {
  return <p>Weather of {useEntity().entity.metadata.name}</p>;
}

/** Written as third-party filters are: against the state of the stock list. */
function SunnyFilter() {
  const [isSunny, setSunny] = useState(false);
  const { updateFilters } = useEntityList();
  useEffect(() => {
    const sunny = {
      filterEntity: (entity: {
        metadata: { labels?: Record<string, string> };
      }) => entity.metadata.labels?.weather === 'sunny',
    };
    updateFilters({ weather: isSunny ? sunny : undefined } as Parameters<
      typeof updateFilters
    >[0]);
  }, [isSunny, updateFilters]);
  return (
    <label>
      <input
        type="checkbox"
        checked={isSunny}
        onChange={event => setSunny(event.target.checked)}
      />
      Sunny only
    </label>
  );
}

const plugin = createFrontendPlugin({
  pluginId: 'weather',
  extensions: [
    EntityCardBlueprint.make({
      params: { loader: async () => <Card /> },
    }),
    EntityContentBlueprint.make({
      params: {
        path: '/weather',
        title: 'Weather',
        loader: async () => <p>A week of weather</p>,
      },
    }),
    EntityContentLayoutBlueprint.make({
      params: {
        filter: { kind: 'resource' },
        loader: async () => () => <p>Weather at the resource</p>,
      },
    }),
    EntityContextMenuItemBlueprint.make({
      params: {
        icon: <svg />,
        useProps: () => ({
          title: 'Report rain',
          onClick: () => {
            weatherActions.push('rain');
          },
        }),
      },
    }),
    EntityIconLinkBlueprint.make({
      params: {
        filter: { 'metadata.labels.weather': 'rainy' },
        useProps: () => ({
          label: 'Rain radar',
          href: 'https://radar.example.org',
          icon: <svg />,
        }),
      },
    }),
    EntityPartBlueprint.make({
      params: {
        title: 'Barometer',
        icon: () => <svg />,
        pluginId: 'weather',
        path: '',
        order: 1,
        kinds: [],
      },
    }),
    CatalogFilterBlueprint.make({
      params: { loader: async () => <SunnyFilter /> },
    }),
    SearchResultListItemBlueprint.make({
      params: {
        predicate: ({ type }) => type === 'weather',
        component: async () => props => (
          <li>Forecast: {props.result?.title}</li>
        ),
      },
    }),
    SubPageBlueprint.make({
      attachTo: { id: 'page:user-settings', input: 'pages' },
      params: {
        path: 'weather',
        title: 'Weather',
        loader: async () => <p>Degrees Celsius</p>,
      },
    }),
  ],
});

const ofTheCatalog = createFrontendModule({
  pluginId: 'catalog',
  extensions: [
    PluginHeaderActionBlueprint.make({
      name: 'weather',
      params: define =>
        define({
          loader: async () => (
            <button type="button" onClick={() => weatherActions.push('sun')}>
              Report sun
            </button>
          ),
        }),
    }),
  ],
});

/** A third-party plugin that uses everything that plugins can attach to stock pages. */
export const weatherPlugin = [plugin, ofTheCatalog];
