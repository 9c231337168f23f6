import type { Knex } from 'knex';

/** Adds tag types, and creates the types of all tags that are already in use. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('tag_types', table => {
    table.string('name', 50).primary();
    table.text('description').notNullable();
    table.string('icon', 100).notNullable();
    table.string('color', 7); // #rrggbb
    table.bigInteger('created_at').notNullable();
  });
  const flags: { tags: string }[] = await knex('flags').select('tags');
  const used = flags.flatMap(({ tags }) =>
    (JSON.parse(tags) as { type: string }[]).map(({ type }) => type),
  );
  const now = Date.now();
  await knex.batchInsert(
    'tag_types',
    [...new Set(['simple', ...used])].map(name => ({
      name,
      description: '',
      icon: '',
      color: null,
      created_at: now,
    })),
    100,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('tag_types');
}
