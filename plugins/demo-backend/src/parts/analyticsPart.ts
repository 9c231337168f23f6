import { createHash } from 'node:crypto';
import { PROJECT } from '../organisation/organisation';
import { type Dice, diceOf } from '../story/random';
import type { Story } from '../story/Story';
import { DAY_MS, HOUR_MS, iso, isWorkday } from '../story/time';
import { cohortsOf, slowPagesOf } from './analyticsCohorts';
import { annotationsOf, DASHBOARDS, INSIGHTS } from './analyticsViews';
import { type DemoPart, inBatches, type PartContext } from './DemoPart';

const SERVICE = 'analytics';
const BATCH = 4_000;
const CUSTOMERS = 400;
/** Visits per day at the end of the story; two thirds of that at its beginning. */
const VISITS = 26;

/** Events of customers in the shop in an analytics project, with dashboards of them. */
export const analyticsPart: DemoPart = {
  id: 'analytics',
  title: 'Analytics',
  writes:
    'the project Harbour Goods with the visits and orders of 400 customers, two dashboards and four cohorts',

  async load({ platform, story, onProgress }) {
    await platform.service(SERVICE, {
      method: 'POST',
      path: '/api/projects',
      body: { id: PROJECT, name: 'Harbour Goods (demo)' },
      accepted: [409],
    });
    const events = eventsOf(story);
    await inBatches(events, BATCH, {
      send: batch =>
        platform.service(SERVICE, {
          method: 'POST',
          path: `/api/projects/${PROJECT}/events`,
          body: { batch },
        }),
      onProgress,
    });
    await saveViews({ platform, story });
    await saveCohorts(platform, cohortsOf(story, events));
  },

  async remove({ platform, onProgress }) {
    await platform.service(SERVICE, {
      method: 'DELETE',
      path: `/api/projects/${PROJECT}`,
      accepted: [404],
    });
    onProgress(1, 1);
  },
};

/** Saves insights, dashboards and annotations, unless the project has insights already. */
async function saveViews({
  platform,
  story,
}: Pick<PartContext, 'platform' | 'story'>): Promise<void> {
  const path = `/api/projects/${PROJECT}`;
  const { insights } = await platform.service<{ insights: object[] }>(SERVICE, {
    method: 'GET',
    path: `${path}/insights`,
  });
  if (insights.length > 0) {
    return;
  }
  const save = (kind: string, body: object) =>
    platform.service<{ id: string }>(SERVICE, {
      method: 'POST',
      path: `${path}/${kind}`,
      body,
    });
  const ids = new Map<string, string>();
  for (const insight of INSIGHTS) {
    ids.set(insight.name, (await save('insights', insight)).id);
  }
  for (const { name, insights: names } of DASHBOARDS) {
    await save('dashboards', {
      name,
      tiles: names.map(each => ids.get(each)),
    });
  }
  for (const annotation of annotationsOf(story)) {
    await save('annotations', annotation);
  }
}

/** Saves cohorts, except those whose names already exist in the project. */
async function saveCohorts(
  platform: PartContext['platform'],
  cohorts: ReturnType<typeof cohortsOf>,
): Promise<void> {
  const path = `/api/projects/${PROJECT}/cohorts`;
  const { results } = await platform.service<{ results: { name: string }[] }>(
    SERVICE,
    { method: 'GET', path },
  );
  const known = new Set(results.map(({ name }) => name));
  for (const cohort of cohorts.filter(({ name }) => !known.has(name))) {
    await platform.service(SERVICE, { method: 'POST', path, body: cohort });
  }
}

const PRODUCTS = [
  'Oak bench',
  'Storm lantern',
  'Wool blanket',
  'Deck shoes',
  'Sailing jacket',
  'Enamel mug',
  'Canvas bag',
];
const BROWSERS = ['Chrome', 'Chrome', 'Safari', 'Firefox'];
const DEVICES = ['Desktop', 'Desktop', 'Mobile', 'Mobile', 'Tablet'] as const;
const SYSTEMS = {
  Desktop: ['Windows', 'Windows', 'Mac OS X', 'Linux'],
  Mobile: ['iOS', 'Android'],
  Tablet: ['iOS', 'Android'],
} as const;
const SOURCES = [
  '$direct',
  '$direct',
  'www.google.com',
  'www.google.com',
  'www.instagram.com',
  'newsletter.example.com',
];
const LANDINGS = ['/', '/', '/', '/sale', '/benches', '/lanterns', '/jackets'];
const COUNTRIES = ['DE', 'DE', 'FR', 'NL', 'SE', 'GB'];

interface ProductEvent {
  uuid: string;
  event: string;
  distinct_id: string;
  timestamp: string;
  properties: Record<string, unknown>;
}

/** Returns all events of customers. */
function eventsOf(story: Story): ProductEvent[] {
  const { time, seed } = story;
  const slow = slowPagesOf(story);
  const events: ProductEvent[] = [];
  for (let day = time.start; day < time.end; day += DAY_MS) {
    const dice = diceOf(seed, 'visits', iso(day));
    const growth = (day - time.start) / (time.end - time.start);
    const busy = isWorkday(day) ? 1 : 1.35;
    const visits = dice.count(VISITS * (2 / 3 + growth / 3) * busy);
    for (let number = 0; number < visits; number += 1) {
      const at = day + (7 + 15 * dice.roll()) * HOUR_MS;
      events.push(
        ...visitOf(`${seed} ${iso(day)} ${number}`, {
          dice,
          at,
          isBroken: at > slow.from && at < slow.to,
        }),
      );
    }
  }
  return events;
}

/** Returns the events of one visit, which often ends early. */
function visitOf(
  name: string,
  { dice, at, isBroken }: { dice: Dice; at: number; isBroken: boolean },
): ProductEvent[] {
  const customer = `customer-${1 + Math.floor(CUSTOMERS * dice.roll() ** 1.5)}`;
  const product = dice.pick(PRODUCTS);
  const price = 15 + Math.floor(dice.roll() * 180);
  // Separate dice, so that the other numbers of the story do not change.
  const came = diceOf(name, 'came');
  const source = came.pick(SOURCES);
  const device = came.pick(DEVICES);
  const common = {
    $referring_domain: source,
    $device_type: device,
    $os: diceOf(name, 'system').pick(SYSTEMS[device]),
    $browser: dice.pick(BROWSERS),
    $geoip_country_code: dice.pick(COUNTRIES),
    $session_id: uuidOf(`${name} session`),
  };
  const steps: { event: string; goesOn: number; more: object }[] = [
    {
      event: '$pageview',
      goesOn: 0.75,
      more: { $pathname: came.pick(LANDINGS) },
    },
    {
      event: 'product viewed',
      goesOn: isBroken ? 0.08 : 0.5,
      more: { product },
    },
    { event: 'added to cart', goesOn: 0.65, more: { product, price } },
    { event: 'checkout started', goesOn: 0.8, more: { price } },
    {
      event: 'order paid',
      goesOn: 0,
      more: { product, price, $set: { name: nameOf(customer), product } },
    },
  ];
  const events: ProductEvent[] = [];
  let moment = at;
  for (const { event, goesOn, more } of steps) {
    events.push({
      uuid: uuidOf(`${name} ${event}`),
      event,
      distinct_id: customer,
      timestamp: iso(moment),
      properties: { ...common, ...more },
    });
    if (dice.roll() >= goesOn) {
      break;
    }
    moment += dice.around(60_000);
  }
  return events;
}

/** Returns the name with which customers appear in the list of users. */
function nameOf(customer: string): string {
  return customer.replace('customer-', 'Customer ');
}

/** Returns the same UUID for the same name, so that loading again adds nothing. */
function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
