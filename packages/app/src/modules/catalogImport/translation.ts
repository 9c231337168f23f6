import { createTranslationRef } from '@backstage/frontend-plugin-api';

/** The texts of the import page, loaded together with it. */
export const importPageTranslationRef = createTranslationRef({
  id: 'slipway.catalog-import',
  messages: {
    title: 'Register components',
    description: 'Adds the entities of a descriptor to the catalog.',
    catalog: 'Catalog',
    stepsLabel: 'Steps of the registration',
    steps: {
      address: 'Find descriptors',
      request: 'Open a pull request',
      review: 'Review',
      done: 'Done',
    },
    deniedTitle: "You can't register components",
    deniedText: 'Ask a platform admin to grant access.',
    url: 'URL',
    urlText:
      'The address of a descriptor, such as https://github.com/acme/shop/blob/main/catalog-info.yaml, or of a repository on {{systems}}.',
    urlTextFile:
      'The address of a descriptor, such as https://github.com/acme/shop/blob/main/catalog-info.yaml.',
    urlInvalid: 'Enter an address that starts with https:// or http://.',
    analyze: 'Analyze',
    analyzeFailed: "Couldn't read this address",
    taken: 'Already in the catalog',
    noFile:
      'This is not the address of a descriptor. Enter one that ends in .yaml or .yml.',
    noFileOrRepository:
      'Enter the address of a descriptor, which ends in .yaml or .yml, or of a repository on {{systems}}.',
    nothing: 'No descriptors at this address.',
    learn: 'A descriptor is a YAML file that names a component and its owner.',
    foundTitle_one: '{{count, number}} descriptor found',
    foundTitle_other: '{{count, number}} descriptors found',
    foundText:
      'Their entities are added to the catalog and stay up to date with the files.',
    existsText:
      'These descriptors already exist in the catalog. Refresh them to read the files again now.',
    someExistText:
      'New ones are added. Those that already exist in the catalog are read again.',
    registered: 'Registered',
    entities_one: '{{count, number}} entity',
    entities_other: '{{count, number}} entities',
    back: 'Back',
    register: 'Register',
    refresh: 'Refresh',
    importFailed: "Couldn't register the descriptors",
    oneFailed: '{{target}}: {{reason}}',
    requestText:
      'This repository has no descriptor. A pull request adds {{file}}, which you can register once it is merged.',
    requestTitle: 'Title of the pull request',
    requestBody: 'Description',
    component: 'Name of the component',
    owner: 'Owner',
    ownerFromFile: 'Owner from the CODEOWNERS file',
    ownerMissing: 'Choose an owner.',
    preview: 'Preview of {{file}}',
    open: 'Open pull request',
    requestFailed: "Couldn't open the pull request",
    opened: 'Pull request opened',
    openedText:
      'After merging it, register its descriptor here, or later with its address: {{target}}',
    doneNew: 'These entities have been added to the catalog',
    arriving:
      'The catalog is still reading these entities. Each becomes a link once it has been read.',
    doneRefreshed: 'A refresh of these entities is scheduled',
    view: 'View {{name}}',
    another: 'Register another',
  },
});
