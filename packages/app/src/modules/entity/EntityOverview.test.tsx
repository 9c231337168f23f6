import type { Entity } from '@backstage/catalog-model';
import type { AlphaEntity } from '@backstage/catalog-model/alpha';
import catalogPlugin from '@backstage/plugin-catalog/alpha';
import { catalogApiRef } from '@backstage/plugin-catalog-react';
import { catalogApiMock } from '@backstage/plugin-catalog-react/testUtils';
import { renderPages } from '@slipway/test-pages';
import { act, screen, waitFor, within } from '@testing-library/react';
import { catalogListModule } from '../catalog/catalogListModule';
import { cockpitModule } from '../cockpit/cockpitModule';
import { themeModule } from '../theme/themeModule';
import { entityCardsModule } from './entityCardsModule';

const resource = (name: string, more: Partial<AlphaEntity> = {}): Entity => ({
  apiVersion: 'backstage.io/v1alpha1',
  kind: 'Resource',
  ...more,
  metadata: { name, namespace: 'default', uid: name, ...more.metadata },
});

const failing = (name: string, message: string) =>
  resource(name, {
    status: {
      items: [
        {
          type: 'backstage.io/catalog-processing',
          level: 'error',
          message: '',
          error: { name: 'InputError', message },
        },
      ],
    },
  });

function open(entity: Entity, ...ancestors: Entity[]) {
  const catalog = catalogApiMock({ entities: [entity, ...ancestors] });
  catalog.getEntityAncestors = vi.fn(async () => ({
    rootEntityRef: '',
    items: [entity, ...ancestors].map(one => ({
      entity: one,
      parentEntityRefs: [],
    })),
  }));
  const related = vi.spyOn(catalog, 'getEntitiesByRefs');
  const removed: string[] = [];
  catalog.removeEntityByUid = async uid => {
    removed.push(uid);
  };
  const pages = renderPages({
    path: `/catalog/default/resource/${entity.metadata.name}`,
    features: [
      catalogPlugin,
      catalogListModule,
      cockpitModule,
      entityCardsModule,
      themeModule,
    ],
    apis: [[catalogApiRef, catalog]],
  });
  /** Waits until the page has loaded the data for its warnings. */
  const untilChecked = async () => {
    await vi.waitFor(() => {
      expect(catalog.getEntityAncestors).toHaveResolved();
      expect(related).toHaveResolved();
    });
    await act(async () => {});
  };
  return { ...pages, removed, untilChecked };
}

describe('the overview of an entity', () => {
  it('has no warnings if nothing is wrong', async () => {
    const { untilChecked } = open(
      resource('database', {
        relations: [
          { type: 'dependsOn', targetRef: 'resource:default/network' },
        ],
      }),
      resource('network'),
    );
    expect(await screen.findByRole('region', { name: 'About' })).toBeVisible();
    await untilChecked();
    expect(screen.queryByText(/database is no longer updated/)).toBeNull();
    expect(screen.queryByText(/not in the catalog/)).toBeNull();
    expect(screen.queryByText(/Couldn't process/)).toBeNull();
  });

  it('offers to delete an entity that its location no longer lists', async () => {
    const { user, removed, address } = open(
      resource('database', {
        metadata: {
          name: 'database',
          annotations: { 'backstage.io/orphan': 'true' },
        },
      }),
    );
    expect(
      await screen.findByText('database is no longer updated'),
    ).toBeVisible();
    await user.click(
      await screen.findByRole('button', { name: 'Delete from catalog' }),
    );
    const dialog = within(
      await screen.findByRole('dialog', {
        name: 'Delete database from the catalog?',
      }),
    );
    await user.click(dialog.getByRole('button', { name: /^Delete/ }));
    await waitFor(() => expect(removed).toEqual(['database']));
    await waitFor(() => expect(address()).toMatch(/^\/catalog(?:\?|$)/));
  });

  it('names related entities that are missing', async () => {
    open(
      resource('database', {
        relations: [
          { type: 'ownedBy', targetRef: 'group:default/nobody' },
          { type: 'dependencyOf', targetRef: 'resource:default/database' },
        ],
      }),
    );
    expect(
      await screen.findByText(
        'database refers to an entity that is not in the catalog',
      ),
    ).toBeVisible();
    expect(screen.getByText('group:default/nobody')).toBeVisible();
  });

  it('says why the entity, or what it comes from, could not be processed', async () => {
    open(
      failing('database', 'spec.type is missing'),
      failing('location', 'No such file'),
    );
    expect(await screen.findByText("Couldn't process database")).toBeVisible();
    expect(screen.getByText('spec.type is missing')).toBeVisible();
    expect(
      screen.getByText("Couldn't process the source of database"),
    ).toBeVisible();
    expect(screen.getByText('No such file')).toBeVisible();
    expect(screen.getByRole('link', { name: 'location' })).toHaveAttribute(
      'href',
      '/catalog/default/resource/location',
    );
  });
});
