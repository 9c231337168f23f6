import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';

interface StateRow {
  flag_name: string;
  environment: string;
  strategies: string;
}

/**
 * Moves environments, projects, segments and context fields to their own tables; adds
 * ids to strategies and tags, dependencies and links to flags, and counts revisions per
 * environment.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('flags', table => {
    table.text('tags').notNullable().defaultTo('[]');
    table.text('dependencies').notNullable().defaultTo('[]');
    table.text('links').notNullable().defaultTo('[]');
    // Revision of the latest change of settings that all environments share.
    table.bigInteger('shared_revision').notNullable().defaultTo(0);
  });
  await knex('flags').update({ shared_revision: knex.ref('revision') });

  await knex.schema.alterTable('flag_environments', table => {
    table.bigInteger('revision').notNullable().defaultTo(0);
  });
  const states: StateRow[] = await knex('flag_environments').select(
    'flag_name',
    'environment',
    'strategies',
  );
  for (const { flag_name, environment, strategies } of states) {
    const withIds = JSON.parse(strategies).map((strategy: object) => ({
      id: randomUUID(),
      ...strategy,
    }));
    await knex('flag_environments')
      .where({ flag_name, environment })
      .update({ strategies: JSON.stringify(withIds) });
  }

  const now = Date.now();
  await knex.schema.createTable('environments', table => {
    table.string('name', 100).primary();
    table.string('type', 64).notNullable(); // development, test, preproduction, production
    table.integer('sort_order').notNullable();
    table.boolean('enabled').notNullable();
    table.bigInteger('created_at').notNullable();
  });
  const environments = new Set(['development', 'production']);
  states.forEach(({ environment }) => environments.add(environment));
  await knex('environments').insert(
    [...environments].map((name, index) => ({
      name,
      type: name === 'production' ? 'production' : 'development',
      sort_order: index,
      enabled: true,
      created_at: now,
    })),
  );

  await knex.schema.createTable('projects', table => {
    table.string('id', 100).primary();
    table.string('name', 200).notNullable();
    table.text('description').notNullable();
    table.bigInteger('created_at').notNullable();
  });
  const used: { project: string }[] = await knex('flags').distinct('project');
  const projects = new Set(['default', ...used.map(({ project }) => project)]);
  for (const id of projects) {
    const name = id === 'default' ? 'Default' : id;
    await knex('projects').insert({
      id,
      name,
      description: '',
      created_at: now,
    });
  }

  await knex.schema.createTable('segments', table => {
    table.increments('id');
    // Null once deleted: the name can be used again, but the id cannot.
    table.string('name', 100).unique();
    table.text('description').notNullable();
    table.string('project', 100);
    table.text('constraints').notNullable();
    table.string('created_by', 255).notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('deleted_at');
    table.bigInteger('revision').notNullable().index();
  });

  await knex.schema.createTable('context_fields', table => {
    table.string('name', 100).primary();
    table.text('description').notNullable();
    table.boolean('stickiness').notNullable();
    table.integer('sort_order').notNullable();
    table.text('legal_values').notNullable();
    table.bigInteger('created_at').notNullable();
  });
  const builtIn = [
    ['environment', 'The environment of the application', false],
    ['userId', 'Who uses the application', true],
    ['appName', 'The name of the application', false],
    ['currentTime', 'When the flag is evaluated', false],
    ['sessionId', 'The session of the user', true],
  ] as const;
  await knex('context_fields').insert(
    builtIn.map(([name, description, stickiness], index) => ({
      name,
      description,
      stickiness,
      sort_order: index,
      legal_values: '[]',
      created_at: now,
    })),
  );
}

export async function down(knex: Knex): Promise<void> {
  for (const table of [
    'context_fields',
    'segments',
    'projects',
    'environments',
  ]) {
    await knex.schema.dropTable(table);
  }
  const states: StateRow[] = await knex('flag_environments').select(
    'flag_name',
    'environment',
    'strategies',
  );
  for (const { flag_name, environment, strategies } of states) {
    const withoutIds = JSON.parse(strategies).map(
      ({ id: _id, ...strategy }: { id?: string }) => strategy,
    );
    await knex('flag_environments')
      .where({ flag_name, environment })
      .update({ strategies: JSON.stringify(withoutIds) });
  }
  await knex.schema.alterTable('flag_environments', table => {
    table.dropColumn('revision');
  });
  await knex.schema.alterTable('flags', table => {
    table.dropColumns('tags', 'dependencies', 'links', 'shared_revision');
  });
}
