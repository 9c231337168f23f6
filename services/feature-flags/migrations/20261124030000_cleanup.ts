import type { Knex } from 'knex';

/** Adds references to flags in the code of applications, and the issues opened to remove flags. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('code_scans', table => {
    table.string('repository', 500).primary(); // its address
    table.string('commit', 100).notNullable();
    table.string('created_by', 255).notNullable();
    table.bigInteger('scanned_at').notNullable();
  });
  await knex.schema.createTable('code_references', table => {
    table.bigIncrements('id');
    table.string('repository', 500).notNullable().index();
    table.string('flag_name', 100).notNullable().index();
    table.string('path', 1_000).notNullable();
    table.integer('line').notNullable();
    table.string('text', 300).notNullable();
  });
  await knex.schema.createTable('flag_issues', table => {
    table.string('flag_name', 100).primary();
    table.text('url').notNullable();
    table.integer('number').notNullable();
    table.string('created_by', 255).notNullable();
    table.bigInteger('created_at').notNullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['flag_issues', 'code_references', 'code_scans']) {
    await knex.schema.dropTable(table);
  }
}
