import type { Knex } from 'knex';

/**
 * Adds votes on feedback, merged feedback, and the keys of repeated replies. Times are milliseconds
 * since the Unix epoch.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('feedback_votes', table => {
    table.string('id', 64).primary();
    table.string('feedback_id', 64).notNullable();
    // An entity reference; null once the vote is withdrawn.
    table.string('voter', 256);
    table.bigInteger('created_at').notNullable();
    // Withdrawn votes still count, for an hour, in lists that were opened before the withdrawal.
    table.bigInteger('withdrawn_at');
    table.unique(['feedback_id', 'voter'], {
      indexName: 'feedback_votes_once_idx',
    });
    table.index(['voter'], 'feedback_votes_voter_idx');
    table.index(['withdrawn_at'], 'feedback_votes_withdrawn_idx');
  });
  await knex.schema.alterTable('feedback', table => {
    // Written by an admin for everyone; null if the record was never open for voting.
    table.text('voting_title');
    table.boolean('voting_open').notNullable().defaultTo(false);
    table.bigInteger('voting_since');
    table.integer('votes').notNullable().defaultTo(0);
    table.string('merged_into', 64);
    table.index(
      ['voting_open', 'created_at', 'id'],
      'feedback_voting_open_idx',
    );
    table.index(['merged_into'], 'feedback_merged_idx');
  });
  await knex.schema.alterTable('feedback_replies', table => {
    // Identifies the request that added the reply; repeating the request adds no second one.
    table.string('request_key', 64);
    table.unique(['request_key'], {
      indexName: 'feedback_replies_request_idx',
    });
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('feedback_replies', table => {
    table.dropUnique(['request_key'], 'feedback_replies_request_idx');
    table.dropColumn('request_key');
  });
  await knex.schema.alterTable('feedback', table => {
    table.dropIndex(['merged_into'], 'feedback_merged_idx');
    table.dropIndex(
      ['voting_open', 'created_at', 'id'],
      'feedback_voting_open_idx',
    );
    table.dropColumns(
      'voting_title',
      'voting_open',
      'voting_since',
      'votes',
      'merged_into',
    );
  });
  await knex.schema.dropTable('feedback_votes');
  await knex('kit_queue').where({ queue: 'vote-notices' }).delete();
}
