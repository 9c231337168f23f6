import {
  ApiBlueprint,
  createExtensionInput,
  createFrontendModule,
} from '@backstage/frontend-plugin-api';
import {
  RiComputerLine,
  RiFileTextLine,
  RiPagesLine,
  RiShapesLine,
  RiUserLine,
} from '@remixicon/react';
import { PaletteSourceBlueprint, paletteApiRef } from '@slipway/app-react';

const paletteApi = ApiBlueprint.makeWithOverrides({
  name: 'palette',
  inputs: {
    sources: createExtensionInput([PaletteSourceBlueprint.dataRefs.source]),
  },
  factory: (originalFactory, { inputs }) =>
    originalFactory(define =>
      define({
        api: paletteApiRef,
        deps: {},
        factory: () => {
          const sources = inputs.sources
            .map(input => input.get(PaletteSourceBlueprint.dataRefs.source))
            .sort((one, other) => one.order - other.order);
          return { sources: () => sources };
        },
      }),
    ),
});

const portal = PaletteSourceBlueprint.make({
  name: 'portal',
  params: {
    title: 'Portal',
    icon: <RiComputerLine />,
    order: 190,
    isScope: false,
    loader: () => import('./sources/portal').then(m => m.portalSource),
    dialogs: {
      shortcuts: () => import('./ShortcutsDialog').then(m => m.ShortcutsDialog),
    },
  },
});

const pages = PaletteSourceBlueprint.make({
  name: 'pages',
  params: {
    title: 'Pages',
    icon: <RiPagesLine />,
    order: 10,
    loader: () => import('./sources/pages').then(m => m.pagesSource),
  },
});

const catalog = PaletteSourceBlueprint.make({
  name: 'catalog',
  params: {
    title: 'Catalog',
    icon: <RiShapesLine />,
    order: 20,
    loader: () => import('./sources/catalog').then(m => m.catalogSource),
  },
});

const people = PaletteSourceBlueprint.make({
  name: 'people',
  params: {
    title: 'People',
    icon: <RiUserLine />,
    order: 30,
    loader: () => import('./sources/catalog').then(m => m.peopleSource),
  },
});

const documents = PaletteSourceBlueprint.make({
  name: 'documents',
  params: {
    title: 'Documents',
    icon: <RiFileTextLine />,
    order: 200,
    isScope: false,
    loader: () => import('./sources/documents').then(m => m.documentsSource),
  },
});

/** The palette, with the portal's own sources. */
export const paletteModule = createFrontendModule({
  pluginId: 'app',
  extensions: [paletteApi, portal, pages, catalog, people, documents],
});
