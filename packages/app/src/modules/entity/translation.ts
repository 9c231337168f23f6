import { createTranslationRef } from '@backstage/frontend-plugin-api';

/** The texts of the catalog's cards and tabs of an entity, loaded together with them. */
export const entityTranslationRef = createTranslationRef({
  id: 'slipway.entity',
  messages: {
    about: {
      title: 'About',
      refresh: 'Refresh from source',
      refreshed: 'Refresh of {{name}} scheduled',
      refreshFailed: "Couldn't refresh {{name}}",
      edit: 'Edit descriptor',
      createSimilar: 'Create something similar',
      none: 'None',
      facts: {
        email: 'Email',
        owner: 'Owner',
        system: 'System',
        domain: 'Domain',
        partOf: 'Part of',
        memberOf: 'Member of',
        parent: 'Parent group',
        children: 'Subgroups',
        type: 'Type',
        lifecycle: 'Lifecycle',
        tags: 'Tags',
        targets: 'Targets',
        reference: 'Reference',
      },
    },
    links: { title: 'Links' },
    owned: {
      title: 'Ownership',
      loading: 'Loading what {{name}} owns',
      failed: "Couldn't load what {{name}} owns",
      subgroups: 'Include subgroups',
      groups: 'Include groups',
      kind: 'Kind',
      all: 'Show all {{number}}',
      fewer: 'Show fewer',
      emptyTitle: 'Owns nothing yet',
      emptyText:
        'Components, APIs, systems and resources with this owner in their descriptor appear here.',
    },
    related: {
      loading: 'Loading {{title}}',
      failed: "Couldn't load {{title}}",
      definition: 'View definition of {{name}}',
      definitionColumn: 'Definition',
      providedApis: 'Provided APIs',
      providedApisEmpty: 'Provides no APIs',
      providedApisText:
        'APIs that this component offers to others. Name them in its descriptor:',
      consumedApis: 'Consumed APIs',
      consumedApisEmpty: 'Consumes no APIs',
      consumedApisText:
        'APIs of others that this component calls. Name them in its descriptor:',
    },
  },
});
