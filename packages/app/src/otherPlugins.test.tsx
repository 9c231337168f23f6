import type { Entity } from '@backstage/catalog-model';
import catalogPlugin from '@backstage/plugin-catalog/alpha';
import { catalogApiRef } from '@backstage/plugin-catalog-react';
import { catalogApiMock } from '@backstage/plugin-catalog-react/testUtils';
import searchPlugin from '@backstage/plugin-search/alpha';
import { searchApiRef } from '@backstage/plugin-search-react';
import userSettingsPlugin from '@backstage/plugin-user-settings/alpha';
import { renderPages } from '@slipway/test-pages';
import { screen, waitFor } from '@testing-library/react';
import { appModules } from './App';
import { entityPartsModule } from './modules/cockpit/cockpitModule';
import { weatherActions, weatherPlugin } from './testing/weatherPlugin';

const component = (
  name: string,
  weather: string,
  kind = 'Component',
): Entity => ({
  apiVersion: 'backstage.io/v1alpha1',
  kind,
  metadata: { name, namespace: 'default', labels: { weather } },
  spec: { type: 'service', lifecycle: 'production', owner: 'payments' },
});

const ENTITY = '/catalog/default/component/harbour';

/** The modules of the app that change stock pages to which plugins attach extensions. */
const pages = appModules.filter(module =>
  ['catalog', 'search', 'user-settings'].includes(
    (module as unknown as { pluginId: string }).pluginId,
  ),
);

const open = (path: string) =>
  renderPages({
    path,
    features: [
      catalogPlugin,
      searchPlugin,
      userSettingsPlugin,
      ...pages,
      entityPartsModule,
      ...weatherPlugin,
    ],
    apis: [
      [
        catalogApiRef,
        catalogApiMock({
          entities: [
            component('harbour', 'rainy'),
            component('beach', 'sunny'),
            component('pool', 'sunny', 'Resource'),
          ],
        }),
      ],
      [
        searchApiRef,
        {
          query: async () => ({
            results: [
              {
                type: 'weather',
                document: { title: 'Gale', text: '', location: '/gale' },
              },
            ],
          }),
        },
      ],
    ],
  });

beforeEach(() => {
  weatherActions.length = 0;
});

describe('a plugin that is not ours', () => {
  it('has its card on the overview of an entity', async () => {
    open(ENTITY);
    expect(await screen.findByText('Weather of harbour')).toBeVisible();
  });

  it('has its part among those of the overview of a component', async () => {
    open(ENTITY);
    expect(
      await screen.findByRole('region', { name: 'Barometer' }),
    ).toBeVisible();
  });

  it('has its link on the card about an entity, if it is for that entity', async () => {
    open(ENTITY);
    expect(
      await screen.findByRole('link', { name: /^Rain radar/ }),
    ).toHaveAttribute('href', 'https://radar.example.org');
    open('/catalog/default/component/beach');
    await screen.findByText('Weather of beach');
    expect(screen.getAllByRole('link', { name: /^Rain radar/ })).toHaveLength(
      1,
    );
  });

  it('lays out the overview of the kinds that its layout is for', async () => {
    open('/catalog/default/resource/pool');
    expect(await screen.findByText('Weather at the resource')).toBeVisible();
  });

  it('has its content as a tab of an entity', async () => {
    const { user } = open(ENTITY);
    await user.click(await screen.findByRole('link', { name: 'Weather' }));
    expect(await screen.findByText('A week of weather')).toBeVisible();
  });

  it('has its action in the menu of an entity', async () => {
    const { user } = open(ENTITY);
    await user.click(await screen.findByRole('button', { name: /more/i }));
    await user.click(
      await screen.findByRole('menuitem', { name: 'Report rain' }),
    );
    expect(weatherActions).toEqual(['rain']);
  });

  it('has its filter above the list of the catalog', async () => {
    const { user } = open('/catalog');
    await screen.findByRole('link', { name: 'harbour' });
    await user.click(await screen.findByLabelText('Sunny only'));
    await waitFor(() =>
      expect(screen.queryByRole('link', { name: 'harbour' })).toBeNull(),
    );
    expect(screen.getByRole('link', { name: 'beach' })).toBeVisible();
  });

  it('has its action in the header of the catalog', async () => {
    const { user } = open('/catalog');
    await user.click(await screen.findByRole('button', { name: 'Report sun' }));
    expect(weatherActions).toEqual(['sun']);
  });

  it('renders its own search results', async () => {
    open('/search?query=gale');
    expect(await screen.findByText('Forecast: Gale')).toBeVisible();
  });

  it('has its page among the settings', async () => {
    open('/settings/weather');
    expect(await screen.findByText('Degrees Celsius')).toBeVisible();
  });
});
