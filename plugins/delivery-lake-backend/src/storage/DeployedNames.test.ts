import { createLake } from './__testUtils__/createLake';
import { aDeployment, at } from './__testUtils__/events';
import { lakeDatabases } from './__testUtils__/lakeDatabases';
import { DeployedNames } from './DeployedNames';

const databases = lakeDatabases();

describe.each(databases.eachSupportedId())('on %s', databaseId => {
  async function start() {
    const lake = await createLake(await databases.init(databaseId));
    const own = (name: string, component: string) =>
      lake.directory.owners.set(name, {
        entityRef: `component:${component}`,
        team: null,
        project: null,
      });
    return { ...lake, own, names: new DeployedNames(lake) };
  }

  it('finds the name under which a component was last deployed to production', async () => {
    const { own, names, send } = await start();
    for (const name of ['pagerduty:P1', 'shop/cart', 'cart-eu', 'cart-dev']) {
      own(name, 'default/cart');
    }
    own('pagerduty:P2', 'default/till');
    await send(
      aDeployment({ externalId: '1', service: 'shop/cart' }),
      aDeployment({ externalId: '2', service: 'cart-eu', finishedAt: at(9) }),
      aDeployment({
        ...{ externalId: '3', service: 'cart-dev', environment: 'dev' },
        finishedAt: at(30),
        occurredAt: at(30),
      }),
      aDeployment({ externalId: '4', service: 'till' }),
    );
    expect(await names.find(['pagerduty:P1'], at(25))).toBe('shop/cart');
    await send(
      aDeployment({
        ...{ externalId: '5', service: 'cart-eu' },
        finishedAt: at(20),
        occurredAt: at(20),
      }),
    );
    expect(await names.find(['pagerduty:P1'], at(25))).toBe('cart-eu');
  });

  it('finds the name at the start of an incident, however long it lasts', async () => {
    const { own, names, send } = await start();
    for (const name of ['pagerduty:P1', 'shop/cart', 'cart-eu']) {
      own(name, 'default/cart');
    }
    await send(
      aDeployment({ externalId: '1', service: 'shop/cart' }),
      aDeployment({
        ...{ externalId: '2', service: 'cart-eu' },
        finishedAt: at(20),
        occurredAt: at(20),
      }),
    );
    expect(await names.find(['pagerduty:P1'], at(15))).toBe('shop/cart');
    expect(await names.find(['pagerduty:P1'], at(20))).toBe('cart-eu');
    // An incident before all deployments gets the first name, which does not change.
    expect(await names.find(['pagerduty:P1'], at(1))).toBe('shop/cart');
  });

  it('uses the name of a component that was not deployed', async () => {
    const { own, names } = await start();
    own('pagerduty:P1', 'default/cart');
    own('pagerduty:P2', 'legacy/cart');
    expect(await names.find(['pagerduty:P1'], at(25))).toBe('cart');
    expect(await names.find(['pagerduty:P2'], at(25))).toBe('legacy/cart');
  });

  it('tries the most specific name first, and does not guess', async () => {
    const { directory, own, names } = await start();
    own('jira:SHOP', 'default/shop');
    own('Cart', 'default/cart');
    expect(
      await names.find(['jira:SHOP/Cart', 'jira:SHOP', 'Cart'], at(25)),
    ).toBe('shop');
    expect(await names.find(['jira:SHOP/Cart'], at(25))).toBeUndefined();
    expect(await names.find([], at(25))).toBeUndefined();
    const shared = new DeployedNames({
      knex: (await createLake(await databases.init(databaseId))).knex,
      directory: {
        find: name =>
          name === 'pagerduty:P1'
            ? { match: 'ambiguous', candidates: [] }
            : directory.find(name),
      },
    });
    expect(await shared.find(['pagerduty:P1', 'Cart'], at(25))).toBeUndefined();
  });
});
