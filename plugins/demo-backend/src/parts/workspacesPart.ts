import { DEVFILE } from '../organisation/devfile';
import { NAMESPACE, type Service } from '../organisation/organisation';
import type { Showcase, Story } from '../story/Story';
import { DAY_MS, HOUR_MS, iso } from '../story/time';
import { devfileOf } from './demoEntities';
import { type DemoPart, inBatches } from './DemoPart';

const PLUGIN = 'ide-launcher';
const BATCH = 50;

/** A workspace of the story. Times are milliseconds since the Unix epoch. */
interface WorkspacePlan {
  readonly name: string;
  /** The name of the service on which its owner works. */
  readonly service: string;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  /** Undefined if it is kept. */
  readonly deletesAt?: number;
  /** True for a workspace at the commit of the broken release. */
  readonly isAtBrokenCommit?: true;
}

/**
 * Stopped workspaces of the user who loads the demo and of its guests. The invented people have none,
 * because only owners see their workspaces.
 */
export const workspacesPart: DemoPart = {
  id: 'workspaces',
  title: 'Workspaces',
  writes:
    '4 stopped workspaces of yours on these components, and 1 of each guest',

  async load({ platform, story, onProgress }) {
    await inBatches(workspacesOf(story), BATCH, {
      send: workspaces =>
        platform.asAdmin(PLUGIN, {
          method: 'POST',
          path: '/imports',
          body: { source: NAMESPACE, workspaces },
        }),
      onProgress,
    });
  },

  async remove({ platform, onProgress }) {
    await platform.asAdmin(PLUGIN, {
      method: 'DELETE',
      path: `/imports/${NAMESPACE}`,
    });
    onProgress(1, 1);
  },
};

/** Returns all workspaces for the import. */
function workspacesOf(story: Story): object[] {
  const { guests, organisation, showcase } = story;
  const [loader, ...others] = guests;
  const planned = [
    ...plansOfLoader(story).map(plan => ({ owner: loader, plan })),
    ...others.map(owner => ({ owner, plan: planOfGuest(story) })),
  ];
  return planned.map(({ owner, plan }) => {
    const service = organisation.services.find(
      ({ name }) => name === plan.service,
    )!;
    return {
      owner,
      name: `${NAMESPACE}-${plan.name}`,
      devfileUrl: devfileOf(service, showcase),
      createdAt: iso(plan.createdAt),
      lastUsed: iso(plan.lastUsedAt),
      ...(plan.deletesAt !== undefined && { deletesAt: iso(plan.deletesAt) }),
      ...codeOf(service, plan, showcase),
    };
  });
}

/** Returns the source of a workspace's code, and a note about it for the owner. */
function codeOf(
  service: Service,
  plan: WorkspacePlan,
  showcase: Showcase | undefined,
): object {
  if (!showcase || service.name !== 'checkout-api') {
    return {
      devfile: DEVFILE,
      note: `Part of the demo organisation: the repository ${service.repository} is invented, so this workspace opens without code.`,
    };
  }
  return plan.isAtBrokenCommit
    ? {
        revision: showcase.commit,
        note: 'Part of the demo organisation: opens at the commit of the broken release.',
      }
    : { note: 'Part of the demo organisation.' };
}

function plansOfLoader({ scenes, time }: Story): WorkspacePlan[] {
  return [
    {
      name: 'split-payments',
      service: 'checkout-api',
      createdAt: scenes.last + 16.8 * HOUR_MS,
      lastUsedAt: scenes.last + 18.3 * HOUR_MS,
      isAtBrokenCommit: true,
    },
    {
      name: 'gift-cards',
      service: 'checkout-api',
      createdAt: scenes.saved + 14.5 * HOUR_MS,
      lastUsedAt: scenes.repaired + 10.2 * HOUR_MS,
    },
    {
      name: 'express-checkout',
      service: 'checkout-web',
      createdAt: scenes.bad + 9.5 * HOUR_MS,
      lastUsedAt: scenes.quiet + 15.4 * HOUR_MS,
    },
    {
      name: 'old-tax-tables',
      service: 'tax-engine',
      createdAt: time.end - 81 * DAY_MS + 10 * HOUR_MS,
      lastUsedAt: time.end - 54 * DAY_MS + 11.6 * HOUR_MS,
      deletesAt: time.end + 6 * DAY_MS,
    },
  ];
}

function planOfGuest({ scenes }: Story): WorkspacePlan {
  return {
    name: 'cart-rounding',
    service: 'cart-api',
    createdAt: scenes.repaired + 13.1 * HOUR_MS,
    lastUsedAt: scenes.last + 11.7 * HOUR_MS,
  };
}
