import { createTranslationRef } from '@backstage/frontend-plugin-api';

/** The texts of the catalog's cards and tabs of an entity, loaded together with them. */
export const entityTranslationRef = createTranslationRef({
  id: 'slipway.entity',
  messages: {
    page: {
      catalog: 'Catalog',
      description: '{{kind}} in the namespace {{namespace}}.',
      failed: "Couldn't load {{name}}",
      missing: 'Not found in the catalog',
      missingText:
        'No {{kind}} has this name: {{namespace}}/{{name}}. It may have been renamed or deleted, or be hidden from you.',
      back: 'View catalog',
      register: 'Register component',
    },
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
    warnings: {
      orphan: '{{name}} is no longer updated',
      orphanAdvice:
        'The location that it came from no longer lists it. Register its descriptor again, or delete it from the catalog.',
      delete: 'Delete from catalog',
      deleteTitle: 'Delete {{name}} from the catalog?',
      deleteText:
        'Its entry and its relations to other entities are deleted. Its repository and its descriptor are kept.',
      missing_one: '{{name}} refers to an entity that is not in the catalog',
      missing_other:
        '{{name}} refers to {{count, number}} entities that are not in the catalog',
      missingAdvice:
        'Register what is missing, or correct the names in the descriptor:',
      failed: "Couldn't process {{name}}",
      sourceFailed: "Couldn't process the source of {{name}}",
    },
    links: { title: 'Links' },
    owned: {
      title: 'Ownership',
      loading: 'Loading what {{name}} owns',
      failed: "Couldn't load what {{name}} owns",
      subgroups: 'Include subgroups',
      groups: 'Include groups',
      kind: 'Kind',
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
      apis: 'APIs',
      apisEmpty: 'Has no APIs',
      apisText:
        'APIs that are part of this. They name what they belong to in their descriptor:',
      providers: 'Providers',
      providersEmpty: 'No component provides this API',
      providersText:
        'Components that offer this API to others. They name it in their descriptor:',
      consumers: 'Consumers',
      consumersEmpty: 'No component consumes this API',
      consumersText:
        'Components that call this API. They name it in their descriptor:',
      neededComponents: 'Depends on components',
      neededComponentsEmpty: 'Depends on no components',
      neededComponentsText:
        'Components that this one needs to run. Name them in its descriptor:',
      neededResources: 'Depends on resources',
      neededResourcesEmpty: 'Depends on no resources',
      neededResourcesText:
        'Databases, queues and other resources that this component uses. Name them in its descriptor:',
      components: 'Components',
      componentsEmpty: 'Has no components',
      componentsText:
        'Components of this system. They name it in their descriptor:',
      resources: 'Resources',
      resourcesEmpty: 'Has no resources',
      resourcesText:
        'Databases, queues and other resources of this system. They name it in their descriptor:',
      subcomponents: 'Subcomponents',
      subcomponentsEmpty: 'Has no subcomponents',
      subcomponentsText:
        'Components that are part of this one. They name it in their descriptor:',
      subdomains: 'Subdomains',
      subdomainsEmpty: 'Has no subdomains',
      subdomainsText:
        'Domains that are part of this one. They name it in their descriptor:',
      systems: 'Systems',
      systemsEmpty: 'Has no systems',
      systemsText: 'Systems of this domain. They name it in their descriptor:',
    },
    members: {
      title: 'Members',
      loading: 'Loading members of {{name}}',
      failed: "Couldn't load members of {{name}}",
      subgroups: 'Include subgroups',
      email: 'Email',
      groups: 'Groups',
      emptyTitle: 'Has no members yet',
      emptyText: 'People who name this group in their descriptor appear here:',
    },
    labels: { title: 'Labels' },
    definition: {
      title: 'Definition',
      source: 'Source',
      views: 'View',
      copy: 'Copy definition',
      loading: 'Loading definition',
      close: 'Close',
      requestBody: 'Request body',
      server: 'Server',
      invalid: "Couldn't read this as {{type}}; the source is shown instead.",
      emptyTitle: 'No definition',
      emptyText: 'The descriptor of {{name}} contains no definition. Add one:',
    },
    relations: {
      search: 'Search {{title}}',
      searchHint: 'Search {{number}}',
      noMatch: 'No matches',
      noMatchText: 'Nothing in this list matches "{{words}}".',
      all: 'Show all {{number}}',
      fewer: 'Show fewer',
    },
  },
});
