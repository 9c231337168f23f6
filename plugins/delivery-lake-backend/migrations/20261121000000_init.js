/**
 * Times are milliseconds since the Unix epoch in bigint columns: SQL computes with them,
 * and they behave the same in SQLite and PostgreSQL. Days are numbers such as 20261121,
 * in the time zone stored in `lake_settings`. There are three layers: received data
 * (lake_deliveries, lake_events), records read from it (deployments, changes,
 * incidents), and data derived from those (the derived columns, durations, rollups).
 * Each layer can be rebuilt from the one before.
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.createTable('lake_settings', table => {
    table.string('key', 64).primary();
    table.text('value').notNullable();
  });

  // Received data.

  await knex.schema.createTable('lake_deliveries', table => {
    table.bigIncrements('id');
    table.string('channel', 32).notNullable();
    table.string('type', 128).notNullable();
    table.string('delivery_key', 255).notNullable();
    table.text('body').notNullable();
    table.text('context').notNullable();
    table.string('outcome', 16).notNullable(); // accepted, ignored or rejected
    table.text('reason');
    table.bigInteger('received_at').notNullable();
    table.unique(['channel', 'delivery_key'], {
      indexName: 'lake_deliveries_key_uniq',
    });
    table.index(['outcome', 'received_at'], 'lake_deliveries_outcome_idx');
  });

  await knex.schema.createTable('lake_events', table => {
    table.bigIncrements('id');
    table.string('kind', 16).notNullable();
    table.text('record_key').notNullable();
    table.string('source', 128).notNullable();
    table.bigInteger('occurred_at').notNullable();
    // SHA-256 of the body in canonical form, to detect repeated events.
    table.string('digest', 64).notNullable();
    table.bigInteger('delivery_id');
    table.text('body').notNullable();
    table.bigInteger('received_at').notNullable();
    table.unique(['kind', 'record_key', 'digest'], {
      indexName: 'lake_events_once_uniq',
    });
  });

  // Replaying a delivery replaces its events.
  await knex.raw(
    'CREATE INDEX lake_events_delivery_idx ON lake_events (delivery_id) WHERE delivery_id IS NOT NULL',
  );

  await knex.schema.createTable('lake_sources', table => {
    table.string('source', 128).primary();
    table.bigInteger('last_event_at').notNullable();
    table.bigInteger('events').notNullable();
  });

  // Replays and rebuilds, with the progress shown to users who started them.
  await knex.schema.createTable('lake_jobs', table => {
    table.string('id', 64).primary();
    table.string('kind', 16).notNullable();
    table.string('status', 16).notNullable();
    table.bigInteger('done').notNullable();
    table.bigInteger('total').notNullable();
    table.text('error');
    table.bigInteger('started_at').notNullable();
    table.bigInteger('updated_at').notNullable();
  });

  // Records read from the events.

  await knex.schema.createTable('services', table => {
    table.increments('id');
    table.text('name').notNullable().unique({
      indexName: 'services_name_uniq',
    });
    table.text('entity_ref').index('services_entity_ref_idx');
    table.text('team').index('services_team_idx');
    table.text('project').index('services_project_idx');
  });

  await knex.schema.createTable('repositories', table => {
    table.increments('id');
    table.text('name').notNullable().unique({
      indexName: 'repositories_name_uniq',
    });
  });

  // Services deployed from a repository: a change in it affects them.
  await knex.schema.createTable('service_repositories', table => {
    table.integer('repository_id').notNullable();
    table.integer('service_id').notNullable();
    table.primary(['repository_id', 'service_id']);
  });

  await knex.schema.createTable('deployments', table => {
    table.bigIncrements('id');
    table.string('public_id', 64).notNullable();
    table.string('source', 128).notNullable();
    table.text('external_id').notNullable();
    table.integer('service_id').notNullable();
    table.string('environment', 64).notNullable();
    table.string('status', 16).notNullable();
    table.bigInteger('started_at').notNullable();
    table.bigInteger('finished_at');
    table.text('version').notNullable();
    table.text('triggered_by').notNullable();
    table.integer('repository_id');
    table.string('commit_sha', 64);
    table.text('commit_message');
    table.text('commit_author');
    // 1 if the pipeline listed the changes, which are in deployment_changes.
    table.smallint('lists_changes').notNullable().defaultTo(0);
    table.text('rollback_of'); // external id; '' means the previous deployment
    table.smallint('unplanned').notNullable().defaultTo(0);
    table.text('url');
    table.bigInteger('revision').notNullable();
    // 1 if it reached production: environment prod, status SUCCESS or ROLLED_BACK,
    // finished.
    table.smallint('counted').notNullable().defaultTo(0);
    // Derived.
    table.bigInteger('head_position'); // position of the commit's change, once known
    table.smallint('failed').notNullable().defaultTo(0);
    table.string('failure_cause', 16);
    table.smallint('rework').notNullable().defaultTo(0);
    table.string('rework_cause', 16);
    table.bigInteger('recovered_at');
    table.bigInteger('rolled_back_at'); // finish of the first rollback
    table.unique(['source', 'external_id'], {
      indexName: 'deployments_key_uniq',
    });
    table.unique(['public_id'], { indexName: 'deployments_public_id_uniq' });
    table.index(['service_id', 'started_at', 'id'], 'deployments_history_idx');
    table.index(
      ['service_id', 'environment', 'started_at', 'id'],
      'deployments_environment_idx',
    );
    // For lookups by both columns, or only by the SHA if an incident names no repository.
    table.index(['commit_sha', 'repository_id'], 'deployments_commit_idx');
  });
  // The only two indexes that the metrics read.
  await knex.raw(
    'CREATE INDEX deployments_counted_idx ON deployments (service_id, finished_at, failed, rework) WHERE counted = 1',
  );
  await knex.raw(
    'CREATE INDEX deployments_finished_idx ON deployments (finished_at, service_id, failed, rework) WHERE counted = 1',
  );
  await knex.raw(
    'CREATE INDEX deployments_head_idx ON deployments (service_id, repository_id, head_position, finished_at) WHERE counted = 1 AND head_position IS NOT NULL',
  );
  await knex.raw(
    'CREATE INDEX deployments_rollback_idx ON deployments (source, rollback_of) WHERE rollback_of IS NOT NULL',
  );
  await knex.raw(
    'CREATE INDEX deployments_rolled_back_idx ON deployments (service_id, rolled_back_at) WHERE rolled_back_at IS NOT NULL',
  );
  // Deployments that no longer count, but whose derived data is from when they did; the next derivation
  // clears it.
  await knex.raw(
    'CREATE INDEX deployments_leftover_idx ON deployments (service_id) WHERE counted = 0 AND (failed = 1 OR rework = 1 OR rolled_back_at IS NOT NULL)',
  );
  // Lists are ordered by the time of a deployment: its finish, or else its start.
  await knex.raw(
    'CREATE INDEX deployments_moment_idx ON deployments (COALESCE(finished_at, started_at), id)',
  );
  await knex.raw(
    'CREATE INDEX deployments_service_moment_idx ON deployments (service_id, COALESCE(finished_at, started_at), id)',
  );

  await knex.schema.createTable('deployment_changes', table => {
    table.bigInteger('deployment_id').notNullable();
    table.integer('repository_id').notNullable();
    table.string('sha', 64).notNullable();
    table.primary(['deployment_id', 'sha']);
    table.index(['repository_id', 'sha'], 'deployment_changes_sha_idx');
  });

  await knex.schema.createTable('changes', table => {
    table.bigIncrements('id');
    table.integer('repository_id').notNullable();
    table.string('sha', 64).notNullable();
    table.text('message').notNullable();
    table.text('author').notNullable();
    table.bigInteger('committed_at');
    // landed_at * 2048 + sequence: the position on the deployed branch.
    table.bigInteger('position').notNullable();
    table.text('url');
    table.bigInteger('revision').notNullable();
    table.unique(['repository_id', 'sha'], { indexName: 'changes_sha_uniq' });
    table.index(['repository_id', 'position'], 'changes_position_idx');
  });

  await knex.schema.createTable('incidents', table => {
    table.bigIncrements('id');
    table.string('public_id', 64).notNullable();
    table.string('source', 128).notNullable();
    table.text('external_id').notNullable();
    // From the event, or else from the linked deployment.
    table.integer('service_id');
    table.string('environment', 64).notNullable();
    table.text('title').notNullable();
    table.string('severity', 64);
    table.bigInteger('started_at').notNullable();
    table.bigInteger('resolved_at');
    table.string('link_source', 128);
    table.text('link_external_id');
    table.string('link_id', 64);
    table.string('link_sha', 64);
    table.text('url');
    table.bigInteger('revision').notNullable();
    // Derived.
    table.bigInteger('deployment_id');
    table.string('attribution', 16); // linked or guessed
    // The service of that deployment at the time of derivation: correcting the incident
    // also affects this service.
    table.integer('deployment_service_id');
    table.bigInteger('deployment_finished_at');
    table.unique(['source', 'external_id'], {
      indexName: 'incidents_key_uniq',
    });
    table.unique(['public_id'], { indexName: 'incidents_public_id_uniq' });
    table.index(['service_id', 'started_at'], 'incidents_service_idx');
    table.index(['started_at', 'id'], 'incidents_started_idx');
    table.index(['service_id', 'resolved_at'], 'incidents_end_idx');
    table.index(['deployment_id'], 'incidents_deployment_idx');
    table.index(
      ['deployment_service_id', 'deployment_finished_at'],
      'incidents_attributed_idx',
    );
    table.index(['link_source', 'link_external_id'], 'incidents_link_key_idx');
    table.index(['link_id'], 'incidents_link_id_idx');
    table.index(['link_sha'], 'incidents_link_sha_idx');
  });
  await knex.raw(
    'CREATE INDEX incidents_open_idx ON incidents (service_id, environment) WHERE resolved_at IS NULL',
  );

  // Derived data.

  // What must be derived again, and starting when. The transaction that stores an event
  // adds a row; the transaction that derives the data deletes it.
  await knex.schema.createTable('dirty_marks', table => {
    table.bigIncrements('id');
    table.integer('service_id').notNullable();
    // Milliseconds; null if `position` is set instead.
    table.bigInteger('since');
    // For a change: derive from the first deployment with a head at this position or
    // later.
    table.integer('repository_id');
    table.bigInteger('position');
    // 1 if deriving another service added the row; deriving it adds no further rows.
    table.smallint('echo').notNullable().defaultTo(0);
    table.index(['service_id'], 'dirty_marks_service_idx');
  });

  // The durations from which medians are computed. Kind 1: lead time of a change in a
  // service; 2: time to restore a service; 3: recovery from a failed deployment.
  await knex.schema.createTable('durations', table => {
    table.smallint('kind').notNullable();
    table.integer('service_id').notNullable();
    // Id of the change, first incident or deployment, depending on the kind.
    table.bigInteger('subject_id').notNullable();
    // End of the duration, which determines the period in which it counts.
    table.bigInteger('ended_at').notNullable();
    // Milliseconds; null if the change was delivered but its times are inconsistent.
    table.bigInteger('duration');
    // Histogram bucket of the duration; see durationBucket.ts.
    table.integer('bucket');
    table.bigInteger('deployment_id');
    table.primary(['kind', 'service_id', 'subject_id']);
    table.index(
      ['kind', 'service_id', 'ended_at', 'duration'],
      'durations_service_idx',
    );
    table.index(
      ['kind', 'bucket', 'ended_at', 'duration'],
      'durations_bucket_idx',
    );
    table.index(['deployment_id'], 'durations_deployment_idx');
  });

  // Counts per service and day; service 0 is the total.
  await knex.schema.createTable('rollup_counts', table => {
    table.integer('service_id').notNullable();
    table.integer('day').notNullable();
    table.integer('deployments').notNullable();
    table.integer('failed').notNullable();
    table.integer('failed_guessed').notNullable();
    table.integer('rework').notNullable();
    table.integer('rework_guessed').notNullable();
    table.integer('changes').notNullable();
    table.integer('changes_unknown').notNullable();
    table.integer('restores').notNullable();
    table.integer('recoveries').notNullable();
    // Incremented whenever derived data of the day changes; validates caches.
    table.bigInteger('revision').notNullable();
    table.primary(['service_id', 'day']);
  });

  // Histograms over all services, by day (20261121) and by month (202611).
  await knex.schema.createTable('rollup_durations', table => {
    table.smallint('kind').notNullable();
    table.integer('period').notNullable();
    table.integer('bucket').notNullable();
    table.integer('samples').notNullable();
    table.primary(['kind', 'period', 'bucket']);
  });
};

/** @param {import('knex').Knex} knex */
exports.down = async function down(knex) {
  for (const table of [
    'rollup_durations',
    'rollup_counts',
    'durations',
    'dirty_marks',
    'incidents',
    'changes',
    'deployment_changes',
    'deployments',
    'service_repositories',
    'repositories',
    'services',
    'lake_jobs',
    'lake_sources',
    'lake_events',
    'lake_deliveries',
    'lake_settings',
  ]) {
    await knex.schema.dropTable(table);
  }
};
