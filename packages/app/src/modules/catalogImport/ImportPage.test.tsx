import type { Entity } from '@backstage/catalog-model';
import { mockApis } from '@backstage/frontend-test-utils';
import { AuthorizeResult } from '@backstage/plugin-permission-common';
import { permissionApiRef } from '@backstage/plugin-permission-react';
import catalogPlugin from '@backstage/plugin-catalog/alpha';
import catalogImportPlugin from '@backstage/plugin-catalog-import/alpha';
import {
  type AnalyzeResult,
  catalogImportApiRef,
} from '@backstage/plugin-catalog-import';
import { catalogApiRef } from '@backstage/plugin-catalog-react';
import { catalogApiMock } from '@backstage/plugin-catalog-react/testUtils';
import { refusal, renderPages } from '@slipway/test-pages';
import { screen, waitFor, within } from '@testing-library/react';
import { importModule } from './importModule';

const entity = (name: string) => ({
  kind: 'Component',
  namespace: 'default',
  name,
});

const location = (name: string, exists = false) => ({
  target: `https://forge.test/${name}.yaml`,
  exists,
  entities: [
    { kind: 'Location', namespace: 'default', name: `generated-${name}` },
    entity(name),
  ],
});

function open(
  result: AnalyzeResult | Error,
  { isAllowed = true }: { isAllowed?: boolean } = {},
) {
  const catalog = catalogApiMock({
    entities: [
      {
        apiVersion: 'backstage.io/v1alpha1',
        kind: 'Group',
        metadata: { name: 'payments', namespace: 'default' },
        spec: {},
      },
    ],
  });
  const addLocation = vi
    .spyOn(catalog, 'addLocation')
    .mockImplementation(async ({ target }) => ({
      location: {
        id: '1',
        type: 'url',
        target,
        entityRef: 'location:default/shop',
      },
      exists: false,
      // The catalog reads the descriptor later.
      entities: [],
    }));
  const getEntitiesByRefs = vi
    .spyOn(catalog, 'getEntitiesByRefs')
    .mockImplementation(async ({ entityRefs }) => ({
      items: entityRefs.map(() => ({}) as Entity),
    }));
  const refreshEntity = vi
    .spyOn(catalog, 'refreshEntity')
    .mockResolvedValue(undefined);
  const submitPullRequest = vi.fn(async () => ({
    link: 'https://forge.test/pulls/1',
    location: 'https://forge.test/shop.yaml',
  }));
  const analyzeUrl = vi.fn(async () => {
    if (result instanceof Error) {
      throw result;
    }
    return result;
  });
  const pages = renderPages({
    path: '/catalog-import',
    features: [catalogPlugin, catalogImportPlugin, importModule],
    apis: [
      [catalogApiRef, catalog],
      [
        catalogImportApiRef,
        {
          analyzeUrl,
          submitPullRequest,
          preparePullRequest: async () => ({ title: 'Add', body: 'File' }),
        } as never,
      ],
      [
        permissionApiRef,
        mockApis.permission({
          authorize: isAllowed ? AuthorizeResult.ALLOW : AuthorizeResult.DENY,
        }),
      ],
    ],
  });
  return {
    ...pages,
    analyzeUrl,
    addLocation,
    getEntitiesByRefs,
    refreshEntity,
    submitPullRequest,
    async analyze(url: string) {
      await pages.user.type(
        await screen.findByRole('textbox', { name: /^URL/ }),
        url,
      );
      await pages.user.click(screen.getByRole('button', { name: 'Analyze' }));
    },
  };
}

it('registers a descriptor, and links to its entities', async () => {
  const { user, analyze, addLocation } = open({
    type: 'locations',
    locations: [location('shop')],
  });
  await analyze('https://forge.test/shop.yaml');
  expect(
    await screen.findByRole('heading', { name: '1 descriptor found' }),
  ).toBeVisible();
  expect(screen.queryByRole('checkbox')).toBeNull();
  expect(screen.queryByText('generated-shop')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Register' }));
  expect(
    await screen.findByText('These entities have been added to the catalog'),
  ).toBeVisible();
  expect(addLocation).toHaveBeenCalledWith({
    type: 'url',
    target: 'https://forge.test/shop.yaml',
  });
  expect(await screen.findByRole('link', { name: 'shop' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'View shop' })).toHaveAttribute(
    'href',
    '/catalog/default/component/shop',
  );
  await user.click(screen.getByRole('button', { name: 'Register another' }));
  expect(screen.getByRole('textbox', { name: /^URL/ })).toHaveValue('');
});

it('links to entities once the catalog has read them', async () => {
  const { user, analyze, getEntitiesByRefs } = open({
    type: 'locations',
    locations: [location('shop')],
  });
  getEntitiesByRefs.mockResolvedValue({ items: [undefined] });
  await analyze('https://forge.test/shop.yaml');
  await user.click(await screen.findByRole('button', { name: 'Register' }));
  expect(await screen.findByText(/The catalog is still reading/)).toBeVisible();
  expect(screen.queryByRole('link', { name: 'shop' })).toBeNull();
  expect(screen.getByRole('link', { name: 'View shop' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  getEntitiesByRefs.mockResolvedValue({ items: [{} as Entity] });
  expect(await screen.findByRole('link', { name: 'shop' })).toBeVisible();
  expect(screen.queryByText(/The catalog is still reading/)).toBeNull();
  expect(screen.getByRole('link', { name: 'View shop' })).not.toHaveAttribute(
    'aria-disabled',
  );
});

it('adds new descriptors, refreshes known ones, and skips deselected ones', async () => {
  const { user, analyze, addLocation, refreshEntity } = open({
    type: 'locations',
    locations: [location('shop'), location('old', true), location('other')],
  });
  await analyze('https://github.com/acme/shop');
  await user.click(
    await screen.findByRole('checkbox', {
      name: 'https://forge.test/other.yaml',
    }),
  );
  expect(screen.getByText(/already exist/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Register' }));
  await screen.findByText('A refresh of these entities is scheduled');
  expect(addLocation).toHaveBeenCalledTimes(1);
  expect(refreshEntity).toHaveBeenCalledWith('location:default/generated-old');
});

it('adds only the rest when some descriptors could not be added', async () => {
  const { user, analyze, addLocation } = open({
    type: 'locations',
    locations: [location('shop'), location('other')],
  });
  const succeed = addLocation.getMockImplementation()!;
  addLocation.mockImplementation(async request => {
    if (request.target.includes('other')) {
      throw new Error('The catalog is busy');
    }
    return succeed(request);
  });
  await analyze('https://github.com/acme/shop');
  await user.click(await screen.findByRole('button', { name: 'Register' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'https://forge.test/other.yaml: The catalog is busy',
  );
  addLocation.mockImplementation(succeed);
  addLocation.mockClear();
  await user.click(screen.getByRole('button', { name: 'Register' }));
  await screen.findByText('These entities have been added to the catalog');
  expect(addLocation.mock.calls.map(([{ target }]) => target)).toEqual([
    'https://forge.test/other.yaml',
  ]);
  expect(screen.getByText('shop')).toBeVisible();
});

it('refreshes a descriptor that is registered', async () => {
  const { user, analyze, addLocation } = open({
    type: 'locations',
    locations: [location('shop', true)],
  });
  await analyze('https://forge.test/shop.yaml');
  await user.click(await screen.findByRole('button', { name: 'Refresh' }));
  await screen.findByText('A refresh of these entities is scheduled');
  expect(addLocation).not.toHaveBeenCalled();
});

it('shows errors of the address and of the analysis', async () => {
  const { user, analyze, analyzeUrl } = open(new Error('name is required'));
  await analyze('nowhere');
  expect(
    screen.getByText('Enter an address that starts with https:// or http://.'),
  ).toBeVisible();
  expect(analyzeUrl).not.toHaveBeenCalled();
  await user.clear(screen.getByRole('textbox', { name: /^URL/ }));
  await analyze('https://forge.test/shop.yaml');
  expect(await screen.findByRole('alert')).toHaveTextContent(
    "Couldn't read this addressname is required",
  );
  await user.clear(screen.getByRole('textbox', { name: /^URL/ }));
  await analyze('nowhere');
  expect(screen.queryByRole('alert')).toBeNull();
});

it('says that an address is neither that of a file nor of a repository', async () => {
  const { analyze, analyzeUrl } = open(new Error('No git URL'));
  await analyze('https://forge.test/acme/shop');
  expect(await screen.findByRole('alert')).toHaveTextContent(
    /address of a descriptor.*or of a repository on GitHub/,
  );
  expect(analyzeUrl).not.toHaveBeenCalled();
});

it('says that a name is taken', async () => {
  const { analyze } = open(
    await refusal(409, 'component:default/shop is already registered'),
  );
  await analyze('https://forge.test/shop.yaml');
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'Already in the catalogcomponent:default/shop is already registered',
  );
});

it('opens a pull request in a repository that has no descriptor', async () => {
  const { user, analyze, submitPullRequest, addLocation } = open({
    type: 'repository',
    url: 'https://github.com/acme/shop',
    integrationType: 'github',
    generatedEntities: [
      {
        apiVersion: 'backstage.io/v1alpha1',
        kind: 'Component',
        metadata: { name: 'shop' },
        spec: { type: 'service' },
      },
    ],
  });
  await analyze('https://github.com/acme/shop');
  const submit = await screen.findByRole('button', {
    name: 'Open pull request',
  });
  await user.click(submit);
  expect(screen.getByText('Choose an owner.')).toBeVisible();
  expect(submitPullRequest).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: /Owner/ }));
  await user.click(await screen.findByRole('option', { name: 'payments' }));
  await user.click(submit);
  await waitFor(() =>
    expect(submitPullRequest).toHaveBeenCalledWith(
      expect.objectContaining({
        title: 'Add',
        fileContent: expect.stringContaining('owner: payments'),
      }),
    ),
  );
  expect(
    await screen.findByRole('link', { name: /Pull request opened/ }),
  ).toHaveAttribute('href', 'https://forge.test/pulls/1');
  expect(
    screen.getByText(/After merging it, register its descriptor.*shop\.yaml/),
  ).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Register' }));
  await screen.findByText('These entities have been added to the catalog');
  expect(addLocation).toHaveBeenCalled();
});

it('shows who can grant access', async () => {
  open({ type: 'locations', locations: [] }, { isAllowed: false });
  expect(
    await screen.findByText("You can't register components"),
  ).toBeVisible();
  const main = screen.getByRole('main');
  expect(within(main).queryByRole('textbox')).toBeNull();
});
