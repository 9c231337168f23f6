import { createLake } from './__testUtils__/createLake';
import { aDeployment } from './__testUtils__/events';
import { keepServicesMatched } from './services';
import { lakeDatabases } from './__testUtils__/lakeDatabases';

const databases = lakeDatabases();

describe.each(databases.eachSupportedId())('on %s', databaseId => {
  it('assigns services to their owners in the catalog, initially and after changes', async () => {
    const { knex, directory, send } = await createLake(
      await databases.init(databaseId),
    );
    await send(
      ...Array.from({ length: 1_200 }, (_, index) =>
        aDeployment({ externalId: `${index}`, service: `service-${index}` }),
      ),
    );
    const teamOf = async (name: string) =>
      (await knex('services').where({ name }).first()).team;
    await directory.own('service-7', 'payments');
    expect(await teamOf('service-7')).toBeNull();

    keepServicesMatched({ knex, directory });
    expect(await teamOf('service-7')).toBeNull();
    await directory.refresh();
    expect(await teamOf('service-7')).toBe('group:default/payments');
    await directory.own('service-1150', 'search');
    expect(await teamOf('service-1150')).toBe('group:default/search');
    directory.owners.clear();
    await directory.refresh();
    expect(await knex('services').whereNotNull('team').select()).toEqual([]);
  });
});
