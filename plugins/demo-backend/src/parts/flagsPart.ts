import {
  FLAGS_BY_TEAM,
  NAMESPACE,
  OWN_TEAM,
  PROJECT,
} from '../organisation/organisation';
import { diceOf } from '../story/random';
import type { Story } from '../story/Story';
import { DAY_MS, HOUR_MS, iso, MINUTE_MS } from '../story/time';
import type { DemoPart, PartContext } from './DemoPart';

const SERVICE = 'feature-flags';
const USAGE_DAYS = 60;
/** Time from a flag's creation until its team turns it on for itself. */
const TRIED_AFTER_MS = 5 * MINUTE_MS;
const USAGE_HOURS = [8, 11, 14, 17, 20];

/** Flags of the demo's services, with their change history and usage. */
export const flagsPart: DemoPart = {
  id: 'feature-flags',
  title: 'Flags',
  writes: 'the project demo with nine flags, their history and usage',

  async load({ platform, story, onProgress }) {
    await platform.service(SERVICE, {
      method: 'POST',
      path: '/api/admin/projects',
      body: {
        id: PROJECT,
        name: 'Harbour Goods (demo)',
        description: 'Flags of the demo organisation',
        owner: `group:${NAMESPACE}/${OWN_TEAM}`,
      },
      accepted: [409],
    });
    await platform.service(SERVICE, {
      method: 'POST',
      path: `/api/admin/projects/${PROJECT}/imports`,
      body: { features: featuresOf(story, await environmentsOf(platform)) },
    });
    onProgress(1, 1);
  },

  async remove({ platform, onProgress }) {
    const path = `/api/admin/projects/${PROJECT}`;
    const names = await flagsIn(platform);
    // Applications receive the archived flags, and forget them.
    for (const name of names) {
      await platform.service(SERVICE, {
        method: 'DELETE',
        path: `/api/admin/features/${encodeURIComponent(name)}`,
        accepted: [404],
      });
    }
    await platform.service(SERVICE, {
      method: 'DELETE',
      path: `${path}/archive`,
      accepted: [404],
    });
    await platform.service(SERVICE, {
      method: 'DELETE',
      path,
      accepted: [404],
    });
    onProgress(1, 1);
  },
};

async function flagsIn(platform: PartContext['platform']): Promise<string[]> {
  const { features } = await platform.service<{
    features: { name: string; project: string }[];
  }>(SERVICE, { method: 'GET', path: '/api/admin/features' });
  return features
    .filter(({ project }) => project === PROJECT)
    .map(({ name }) => name);
}

interface FlagPlan {
  name: string;
  type: string;
  description: string;
  /** Days before today on which it was created. */
  age: number;
  /** Average number of evaluations per hour of use. */
  asked: number;
  percentage?: number;
  stale?: boolean;
  /** Times at which it was turned on, off, on, … for customers. */
  turns: number[];
}

/** The environments in which the demo's flags have a history. */
interface Environments {
  /** The environment of customers; undefined: the service's own. */
  customers: string | undefined;
  /** Environments in which the teams turn each flag on as soon as it exists. */
  teams: readonly string[];
}

async function environmentsOf(
  platform: PartContext['platform'],
): Promise<Environments> {
  const { environments } = await platform.service<{
    environments: { name: string; type: string; protected: boolean }[];
  }>(SERVICE, { method: 'GET', path: '/api/admin/environments' });
  // No import may turn a flag on in a protected environment.
  const open = environments.filter(each => !each.protected);
  const customers = open.find(({ type }) => type === 'production');
  return {
    customers: customers?.name,
    teams: open
      .filter(({ type }) => customers && type === 'development')
      .map(({ name }) => name),
  };
}

/** Formats the flags for the service's import. */
function featuresOf(
  { organisation, time, scenes, seed }: Story,
  { customers, teams }: Environments,
): object[] {
  const before = (days: number) => time.end - days * DAY_MS + 10 * HOUR_MS;
  const at = (day: number, hour: number, minute: number) =>
    day + hour * HOUR_MS + minute * MINUTE_MS;
  const plans: FlagPlan[] = [
    {
      name: 'demo.gift-cards',
      type: 'release',
      description: 'Pay with gift cards',
      age: 24,
      asked: 900,
      turns: [
        at(scenes.saved, 14, 15),
        // Orders broke that afternoon: turned off two minutes after the incident was noticed.
        at(scenes.saved, 14, 30),
        at(scenes.repaired, 11, 2),
      ],
    },
    {
      name: 'demo.split-payments',
      type: 'release',
      description: 'Pay with two cards',
      age: 6,
      asked: 650,
      // When the broken release was deployed.
      turns: [at(scenes.last, 16, 20)],
    },
    {
      name: 'demo.express-checkout',
      type: 'experiment',
      description:
        'Skip the address page for customers who have ordered before',
      age: 30,
      asked: 700,
      percentage: 50,
      turns: [before(29)],
    },
    {
      name: 'demo.new-product-page',
      type: 'release',
      description: 'The product page with large pictures',
      age: 36,
      asked: 1_500,
      turns: [at(scenes.bad, 11, 5), at(scenes.bad, 14, 20)],
    },
    {
      name: 'demo.instant-invoices',
      type: 'release',
      description: 'Write invoices when the order is paid',
      age: 95,
      asked: 400,
      stale: true,
      turns: [before(90)],
    },
    {
      name: 'demo.stop-payouts',
      type: 'kill-switch',
      description: 'Holds back all payouts',
      age: 170,
      asked: 60,
      turns: [],
    },
    {
      name: 'demo.carrier-fallback',
      type: 'operational',
      description: 'Sends parcels by the second carrier',
      age: 140,
      asked: 150,
      turns: [before(61), before(59), before(20), before(18)],
    },
    {
      name: 'demo.loyalty-points',
      type: 'release',
      description: 'Points for orders',
      age: 15,
      asked: 300,
      percentage: 25,
      turns: [before(12)],
    },
    {
      name: 'demo.better-ranking',
      type: 'experiment',
      description: 'Ranks by what was bought after a search',
      age: 21,
      asked: 1_100,
      percentage: 50,
      turns: [before(20)],
    },
  ];
  return plans.map(plan => {
    const team = organisation.teams.find(({ name }) =>
      FLAGS_BY_TEAM[name]?.includes(plan.name),
    )!;
    const [lead, second] = team.people;
    const dice = diceOf(seed, 'flag', plan.name);
    const isOnAt = (moment: number) =>
      plan.turns.filter(turn => turn <= moment).length % 2 === 1;
    const createdAt = before(plan.age);
    return {
      name: plan.name,
      type: plan.type,
      description: plan.description,
      stale: plan.stale ?? false,
      createdAt: iso(createdAt),
      createdBy: lead.ref,
      ...(plan.percentage !== undefined && { percentage: plan.percentage }),
      changes: [
        ...teams.map(environment => ({
          at: iso(createdAt + TRIED_AFTER_MS),
          by: lead.ref,
          environment,
          enabled: true,
        })),
        ...plan.turns.map((turn, index) => ({
          at: iso(turn),
          by: (index % 2 === 0 ? lead : second).ref,
          environment: customers,
          enabled: index % 2 === 0,
        })),
      ],
      usage: hoursBefore(time.end, Math.min(plan.age, USAGE_DAYS)).map(
        moment => {
          const count = Math.round(dice.around(plan.asked));
          const share = isOnAt(moment) ? (plan.percentage ?? 100) / 100 : 0;
          const yes = Math.round(count * share);
          return {
            at: iso(moment),
            environment: customers,
            appName: team.plan.services[0],
            yes,
            no: count - yes,
          };
        },
      ),
    };
  });
}

/** Returns the hours of the given days before a time in which flags are evaluated, oldest first. */
function hoursBefore(end: number, days: number): number[] {
  return Array.from(
    { length: days },
    (_, index) => end - (days - index) * DAY_MS,
  ).flatMap(day => USAGE_HOURS.map(hour => day + hour * HOUR_MS));
}
