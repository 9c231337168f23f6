/** An export of one environment by Unleash 8.2, with one object of each kind. */
export function environmentExport() {
  return {
    features: [
      feature('child', { description: 'Needs the parent' }),
      feature('parent'),
      feature('plain', { impressionData: true }),
    ],
    featureStrategies: [
      {
        name: 'flexibleRollout',
        id: '01M83KFRAKKMYN7YX42AEGCZ19',
        featureName: 'child',
        title: 'Half',
        parameters: { groupId: 'child', rollout: '50', stickiness: 'userId' },
        constraints: [
          { contextName: 'region', operator: 'IN', values: ['eu'] },
          {
            contextName: 'userId',
            operator: 'NUM_GT',
            value: '5',
            values: [],
            inverted: true,
          },
        ],
        variants: [
          {
            name: 'a',
            weight: 1_000,
            payload: { type: 'string', value: 'x' },
            stickiness: 'userId',
            weightType: 'variable',
          },
        ],
        disabled: false,
        segments: [1],
      },
      {
        name: 'default',
        id: '01M83KFRB392Q3QKV0MW1QPHQN',
        featureName: 'child',
        title: null,
        parameters: {},
        constraints: [],
        variants: [],
        disabled: true,
        segments: [],
      },
      {
        name: 'flexibleRollout',
        id: '01M83KFRCDWA86WESP3ASGQ0TE',
        featureName: 'parent',
        title: null,
        parameters: {
          groupId: 'parent',
          rollout: '100',
          stickiness: 'default',
        },
        constraints: [],
        variants: [],
        disabled: false,
        segments: [],
      },
    ],
    featureEnvironments: [
      state('child', true),
      state('parent', true),
      state('plain', false),
    ],
    contextFields: [
      {
        name: 'region',
        description: null,
        stickiness: false,
        sortOrder: 0,
        legalValues: [{ value: 'eu' }, { value: 'us' }],
      },
    ],
    featureTags: [
      { featureName: 'child', tagType: 'team', tagValue: 'search' },
    ],
    segments: [{ id: 1, name: 'eu' }] as {
      id: number;
      name: string;
      constraints?: object[];
    }[],
    tagTypes: [{ name: 'team', description: 'd', icon: 'T', color: null }],
    dependencies: [
      {
        feature: 'child',
        dependencies: [{ feature: 'parent', enabled: true, variants: [] }],
      },
    ] as {
      feature: string;
      dependencies: {
        feature: string;
        enabled: boolean;
        variants?: string[];
      }[];
    }[],
    links: [
      {
        feature: 'child',
        links: [
          {
            id: '01M83KFREBP89WXGTP12G1QWAF',
            url: 'https://example.org/x',
            title: 'X',
          },
        ],
      },
    ],
  };
}

function feature(name: string, more: object = {}) {
  return {
    name,
    description: name,
    type: 'release',
    project: 'default',
    stale: false,
    impressionData: false,
    archived: false,
    ...more,
  };
}

function state(featureName: string, enabled: boolean) {
  return {
    enabled,
    featureName,
    environment: 'development',
    variants: [],
    name: featureName,
  };
}
