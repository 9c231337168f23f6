import type { Difference } from '../judge.ts';

export const bodies: readonly Difference[] = [
  {
    of: ['*'],
    at: ['name'],
    reason:
      'Every error has a name here; Unleash leaves it out of some, and has AuthenticationRequired and InvalidOperationError.',
  },
  {
    of: [
      'flags: *',
      'strategies: *',
      'context: *',
      'segments: *',
      'tag*',
      'environments: *',
      'projects: *',
      'tokens: *',
      'events*',
      'set up: *',
      'usage: *',
      'register: *',
      'metrics: *',
      'bulk: *',
      'edge: *',
      'frontend: POST*',
    ],
    at: ['headers.etag'],
    reason:
      'Express puts an ETag on each JSON body; here flags have one, for If-Match.',
  },
  {
    of: [
      'flags: archive',
      'flags: archive again',
      'flags: link',
      'segments: replace',
    ],
    at: ['status'],
    reason:
      'The contract answers 200 to a change, and 201 to what was created.',
  },
  {
    of: [
      'flags: *',
      'strategies: *',
      'segments: *',
      'context: *',
      'set up: *',
      'tokens: *',
    ],
    at: ['body', 'headers.type'],
    reason: 'Changes answer what was changed, where Unleash answers nothing.',
  },
  {
    of: ['flags: *', 'strategies: *', 'set up: *'],
    at: [
      'body.updatedAt',
      'body.dependencies',
      'body.tags',
      'body.links',
      'body.environments',
      'body.environments[].*',
      'body.createdBy',
      'body.children',
      'body.collaborators',
      'body.description',
      'body.features*',
      'body.total',
      'body.impressionData',
      // Only present once the server has recorded the stage, which takes a moment.
      'body.lifecycle',
    ],
    reason:
      'One shape of a flag for all routes, with its environments. Unleash has creators, favourites, stages and counts in some of them, and resets what PUT leaves out.',
  },
  {
    of: ['flags: archive a parent'],
    at: ['status'],
    reason:
      'Archived; the children are off for SDKs, and list it in `problems`.',
  },
  {
    of: ['flags: tags', 'flags: change tags'],
    at: ['body.tags*'],
    reason: 'More tags were taken before; they have no colours.',
  },
  {
    of: ['strategies: *', 'segments: use'],
    at: ['body.sortOrder', 'body[].milestoneId', 'body.strategies[].sortOrder'],
    reason:
      'The order is that of the list, counted from 0. There are no milestones.',
  },
  {
    of: ['strategies: replace', 'strategies: state', 'strategies: read'],
    at: ['body.parameters.*', 'body.strategies[].parameters.*'],
    reason:
      'Parameters are kept as sent: SDKs have the same defaults. The patch above was refused.',
  },
  {
    of: ['strategies: * right'],
    at: ['body.constraints[].values'],
    reason: 'A constraint with one value has no list beside it.',
  },
  {
    of: ['strategies: state', 'strategies: what on without any added'],
    at: [
      'body.name',
      'body.environment',
      'body.type',
      'body.sortOrder',
      'body.protected',
      'body.etag',
      'body.variants',
      'body.strategies[].featureName',
      'body.strategies[].segments',
    ],
    reason: 'The state of a flag is described by its environment.',
  },
  {
    of: ['strategies: what on without any added'],
    at: ['body.strategies.length'],
    reason:
      'Unleash adds a rollout of 100 %, also where the only strategy was disabled; nothing is added here.',
  },
  {
    of: ['strategies: variants *'],
    at: ['body.variants[].weight', 'body.variants[].name'],
    reason:
      'Unleash sorts variants by name and makes their weights add up to 1000. The client specification needs both as sent.',
  },
  {
    of: ['context: *'],
    at: [
      'body[].description',
      'body[].createdAt',
      'body[].usedIn*',
      'body[].stickiness',
      'body.createdAt',
      'body.sortOrder',
    ],
    reason: 'Descriptions of our own; the list does not count uses.',
  },
  {
    of: ['segments: *', 'environments: *', 'projects: list'],
    at: [
      'body.createdBy',
      'body.project',
      'body.changeRequestStrategies',
      'body.environments[].*',
      'body.projects[].*',
      'body.sortOrder',
      'body.requiredApprovals',
    ],
    reason:
      'Authors are `token:name` or a user. Counts of flags, members and health are in the portal, and approvals are for everyone.',
  },
  {
    of: ['tokens: *'],
    at: [
      'body.alias',
      'body.project',
      'body.secure',
      'body.id',
      'body.createdBy',
      'body.tokens*',
    ],
    reason:
      'Secrets are hashed and shown once, so that tokens have an id; Unleash lists them in clear.',
  },
  {
    of: ['events'],
    at: ['body.*'],
    reason:
      'The audit log has its own form, with the flag before and after; `limit` counts here.',
  },
  {
    of: ['usage: applications'],
    at: ['body.*'],
    reason: 'Unleash stores applications 20 seconds later.',
  },
  {
    of: ['usage: impact metrics'],
    at: ['body'],
    reason:
      'Series name the environment, and add up what several applications report.',
  },
  {
    of: ['tokens: create for backends'],
    at: ['body.type'],
    reason: 'One type has one name: `backend` is stored as `client`.',
  },
];
